"""What `art_trl.py` takes from TRL 1.16.0: a class to derive from."""


class GRPOTrainer:
    pass
