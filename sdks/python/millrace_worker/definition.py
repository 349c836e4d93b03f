from __future__ import annotations

import json
from typing import Any, Dict

from .tasks import Param, Secret, Task

_kinds = {str: "string", Secret: "string", int: "string", float: "string", bool: "string", list: "array", dict: "object", None: "string"}
_forms = {str: "text", Secret: "password", int: "number", float: "number", bool: "boolean", list: "multiselect", dict: "json", None: "text"}


def definition_of(task: Task) -> Dict[str, Any]:
    """The document of a task, as Millrace saves it. JSON is YAML, so it can be sent and kept as either."""
    annotations: Dict[str, Any] = {"millrace.dev/type": "custom", "millrace.dev/executor": "external"}
    if task.params:
        annotations["millrace.dev/params"] = [_form(param) for param in task.params]
    spec: Dict[str, Any] = {"params": [_spec(param) for param in task.params], "results": [{"name": name} for name in task.results]}
    if task.description:
        spec["description"] = task.description
    return {"apiVersion": "tekton.dev/v1", "kind": "Task", "metadata": {"name": task.name, "annotations": annotations}, "spec": spec}


def _form(param: Param) -> Dict[str, Any]:
    form: Dict[str, Any] = {"name": param.name, "type": _forms[param.type]}
    return {**form, "required": True} if param.is_required else form


def _spec(param: Param) -> Dict[str, Any]:
    spec: Dict[str, Any] = {"name": param.name, "type": _kinds[param.type]}
    if param.has_default and param.type is not Secret:
        spec["default"] = _default(param.default)
    return spec


def _default(value: Any) -> Any:
    """Documents hold texts, lists of texts and maps of texts."""
    if isinstance(value, (list, tuple)):
        return [_text(item) for item in value]
    if isinstance(value, dict):
        return {name: _text(item) for name, item in value.items()}
    return _text(value)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
