"""What does not depend on the number of replicas: compiling and loading, as a share of a run (section 7.4)."""

from __future__ import annotations

from app.analysis.scaling.sound import a_time
from app.language import tr


def startup_share(startup_seconds: float, running_seconds: float) -> float:
    """Compile and load / (compile and load + training), 0..1. It rises when replicas shorten the training."""
    a_time(startup_seconds, tr("time to compile and load"))
    a_time(running_seconds, tr("time to train"))
    total = startup_seconds + running_seconds
    return startup_seconds / total if total else 0.0
