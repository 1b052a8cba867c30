"""The list of pictures that can be exported."""

from __future__ import annotations

from app.panels.blobs.strip import PLOTS as BLOBS
from app.panels.cache.picture import PLOTS as CACHE
from app.panels.capture import PLOTS as CAPTURE
from app.panels.core_load.cards import PLOTS as CORE_LOAD
from app.panels.core_tasks import PLOTS as CORE_TASKS
from app.panels.exchanges.picture import PLOTS as EXCHANGES
from app.panels.heat_table.plots import PLOTS as HEAT_TABLE
from app.panels.liveness.picture import PLOTS as LIVENESS
from app.panels.memory_accesses.picture import PLOTS as MEMORY_ACCESSES
from app.panels.memory_paths.diagram import PLOTS as MEMORY_PATHS
from app.panels.model.plots import PLOTS as MODEL
from app.panels.onchip.picture import PLOTS as ONCHIP
from app.panels.operator.picture import PLOTS as OPERATOR
from app.panels.roofline.charts import PLOTS as ROOFLINE
from app.panels.scaling.plots import PLOTS as SCALING
from app.panels.spec import PlotSpec
from app.panels.stall_reasons import PLOTS as STALL_REASONS
from app.panels.statistics.flame import PLOTS as STATISTICS
from app.panels.steps.plots import PLOTS as STEPS
from app.panels.tensor_map.plots import PLOTS as TENSOR_MAP
from app.panels.tenstorrent import PLOTS as TENSTORRENT
from app.panels.tile_memory.plots import PLOTS as TILE_MEMORY
from app.panels.timeline.plots import PLOTS as TIMELINE
from app.panels.vertex_types.picture import PLOTS as VERTEX_TYPES
from app.panels.workload.picture import PLOTS as WORKLOAD

PLOTS: tuple[PlotSpec, ...] = (
    *TIMELINE,
    *STATISTICS,
    *STEPS,
    *TILE_MEMORY,
    *HEAT_TABLE,
    *LIVENESS,
    *VERTEX_TYPES,
    *EXCHANGES,
    *MEMORY_PATHS,
    *ROOFLINE,
    *CACHE,
    *MEMORY_ACCESSES,
    *STALL_REASONS,
    *ONCHIP,
    *BLOBS,
    *OPERATOR,
    *WORKLOAD,
    *CORE_LOAD,
    *MODEL,
    *SCALING,
    *TENSOR_MAP,
    *CAPTURE,
    *CORE_TASKS,
    *TENSTORRENT,
)
