"""SkyRL's types are written for Python 3.12; 3.11 has what they need under another name."""

import sys
import typing

if sys.version_info < (3, 12):
    import typing_extensions

    typing.TypedDict = typing_extensions.TypedDict
