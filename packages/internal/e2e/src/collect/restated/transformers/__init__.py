"""What `art_trl.py` takes from transformers: a class to derive from."""


class TrainerCallback:
    pass
