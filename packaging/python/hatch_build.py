"""What `cargo xtask package` knows of the wheel: its version, and where it runs."""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def version() -> str:
    """The version of the release that the wheel is made of."""
    return os.environ["OXOMP_VERSION"]


class Platform(BuildHookInterface):
    """Gives the wheel the tag of its platform: it holds programs, but nothing of one Python."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{os.environ['OXOMP_PLATFORM']}"
