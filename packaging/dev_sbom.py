"""The bill of materials of a release (CycloneDX 1.6, JSON): the packages that the program needs, and those of its
extras, in the pinned versions, with their licences. Runs in the environment that has them:

    PYTHONPATH=. .venv/bin/python packaging/dev_sbom.py ROOT FILE
"""

from __future__ import annotations

import json
import sys
import uuid
from collections.abc import Iterable, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import dev_environment
import wheel_backend
from app.window.about import component
from installer import product


def document(root: Path) -> dict[str, Any]:
    """The bill; the same commit makes the same. ValueError if an installed package has not its pinned version."""
    project = wheel_backend.described(root)
    version, facts = product.version(root), json.loads(product.build_facts(root))
    needed = closure(project["dependencies"])
    extras = [line for own in project["optional-dependencies"].values() for line in own]
    every = closure([*project["dependencies"], *extras])
    _refuse_others(every, pins(root))
    serial = uuid.uuid5(uuid.NAMESPACE_DNS, f"{version}.{facts['commit']}.{product.DOMAIN}")
    itself: dict[str, Any] = {"type": "application", "bom-ref": product.NAME, "name": product.NAME, "version": version}
    itself |= {"description": product.SUMMARY, "licenses": licences(product.LICENCE)}
    itself |= {"purl": f"pkg:generic/{product.NAME}@{version}", "supplier": {"name": product.DEVELOPERS}}
    graph: dict[str, list[str]] = {
        product.NAME: sorted(map(canonicalize_name, map(dev_environment.name_of, project["dependencies"])))
    }
    graph |= every
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{serial}",
        "version": 1,
        "metadata": {"timestamp": product.released(root).isoformat(), "component": itself},
        "components": [described(name, required=name in needed) for name in sorted(every)],
        "dependencies": [{"ref": name, "dependsOn": others} for name, others in sorted(graph.items())],
    }


def closure(lines: Iterable[str]) -> dict[str, list[str]]:
    """The packages that ``lines`` require, and all that these need here: name to the names of what it needs."""
    needs: dict[str, list[str]] = {}
    waiting: list[str] = [canonicalize_name(Requirement(line).name) for line in lines]
    while waiting:
        name = waiting.pop()
        if name not in needs:
            wanted = map(Requirement, metadata.requires(name) or [])
            here = [own for own in wanted if own.marker is None or own.marker.evaluate({"extra": ""})]
            needs[name] = sorted({canonicalize_name(own.name) for own in here})
            waiting += needs[name]
    return needs


def described(name: str, *, required: bool) -> dict[str, Any]:
    """The component of an installed package."""
    installed = component(metadata.distribution(name))
    return {
        "type": "library",
        "bom-ref": name,
        "name": installed.name,
        "version": installed.version,
        "scope": "required" if required else "optional",
        "licenses": licences(installed.licence),
        "purl": f"pkg:pypi/{name}@{installed.version}",
    }


def licences(stated: str) -> list[dict[str, Any]]:
    """An expression of SPDX, or the name as it is stated."""
    try:
        return [{"expression": canonicalize_license_expression(stated)}]
    except InvalidLicenseExpression:
        return [{"license": {"name": stated}}] if stated else []


def pins(root: Path) -> dict[str, str]:
    """The constraints: normalized name to version."""
    lines = (root / dev_environment.CONSTRAINTS).read_text("utf-8").split()
    return {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}


def _refuse_others(names: Iterable[str], pinned: Mapping[str, str]) -> None:
    others = [name for name in sorted(names) if metadata.version(name) != pinned.get(name)]
    if others:
        raise ValueError(f"installed in other versions than the pinned ones: {', '.join(others)}")


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(json.dumps(document(Path(sys.argv[1])), indent=1, ensure_ascii=False) + "\n", "utf-8")
