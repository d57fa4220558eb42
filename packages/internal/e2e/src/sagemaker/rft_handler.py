"""The decorator of sagemaker-train, unchanged, without the import of the whole of sagemaker-core (mlflow, jinja2 ...)."""

import pathlib
import sys
import types

import sagemaker.train

core = types.ModuleType("sagemaker.core")
core.__path__ = [str(pathlib.Path(sagemaker.train.__file__).parent.parent / "core")]
sys.modules["sagemaker.core"] = core

from sagemaker.core.token_generator import generate_token  # noqa: E402
from sagemaker.train.rft import make_inference_headers, sagemaker_rft_handler  # noqa: E402

__all__ = ["generate_token", "make_inference_headers", "sagemaker_rft_handler"]
