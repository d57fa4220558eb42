"""SkyRL's server of Tinker's wire on loopback. Its own entry wants to be started by uv, and listens on every address."""

import argparse
import sys

import uvicorn
from skyrl.tinker import api
from skyrl.tinker.config import EngineConfig, add_model, config_to_argv

api._build_uv_run_cmd_engine = lambda _parent, config: [sys.executable, "-m", "skyrl.tinker.engine", *config_to_argv(config)]
parser = argparse.ArgumentParser()
add_model(parser, EngineConfig)
parser.add_argument("--port", type=int, required=True)
given = vars(parser.parse_args())
api.app.state.engine_config = EngineConfig.model_validate({name: value for name, value in given.items() if name in EngineConfig.model_fields})
uvicorn.run(api.app, host="127.0.0.1", port=given["port"], log_level="warning")
