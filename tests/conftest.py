"""Leaves out slow tests, unless the run is to have them."""

import pytest
import suite


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the slow tests that this run does not have."""
    left_out = [
        item
        for item in items
        if item.get_closest_marker("slow") and not suite.selected(item.nodeid)
    ]
    if left_out:
        dropped = set(left_out)
        items[:] = [item for item in items if item not in dropped]
        config.hook.pytest_deselected(items=left_out)
