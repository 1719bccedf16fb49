#!/usr/bin/env python3
"""Checks the code of two generators for the schema: datamodel-codegen (pydantic) and jsonschema-gentypes.

Each must generate one valid Python file, without two models that have the same members. Both are on PYTHONPATH.
"""

import ast
import os
import subprocess
import sys
import tempfile

PROJECT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../.."))
SCHEMA = os.path.join(PROJECT, "Fixtures/schema/1.0.json")
RUN = "import sys; from {} import main; sys.exit(main())"
GENERATORS = {
    "datamodel_code_generator.__main__": [
        "--input", SCHEMA, "--input-file-type", "jsonschema", "--output-model-type", "pydantic_v2.BaseModel",
        "--formatters", "builtin", "--output"],
    "jsonschema_gentypes.cli": [f"--json-schema={SCHEMA}", "--python"],
}


def members(model):
    """The members of a class, without its name, its base and its docstrings."""
    return "\n".join(ast.unparse(line) for line in model.body if not isinstance(line, ast.Expr))


def faults(module, arguments, folder):
    path = os.path.join(folder, module.split(".")[0] + "_models.py")
    done = subprocess.run([sys.executable, "-c", RUN.format(module), *arguments, path], capture_output=True, text=True)
    if done.returncode or not os.path.exists(path):
        return [f"{module}: {done.stderr.strip()}"]
    with open(path) as file:
        models = [node for node in ast.parse(file.read()).body if isinstance(node, ast.ClassDef)]
    loaded = subprocess.run([sys.executable, path], capture_output=True, text=True)
    found = [f"{module}: {loaded.stderr.strip()}"] if loaded.returncode else []
    known = {}
    for model in models:
        other = known.setdefault(members(model), model.name)
        # Methods without params, or with the same result, have separate models.
        is_part = all(name.endswith(("Params", "Result", "Notification")) for name in (other, model.name))
        if other != model.name and not is_part:
            found.append(f"{module}: {model.name} has the members of {other}")
    print(f"{module}: {len(models)} models")
    return found


with tempfile.TemporaryDirectory() as folder:
    everything = [fault for module, arguments in GENERATORS.items() for fault in faults(module, arguments, folder)]
print("\n".join(everything))
sys.exit(bool(everything))
