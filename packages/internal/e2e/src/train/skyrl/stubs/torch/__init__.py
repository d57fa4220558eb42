"""What SkyRL's JAX backend names of PyTorch, which it does not use."""

__version__ = "0.0.0"


class Tensor: ...


class dtype: ...
