"""Lines of TAP on standard output, for automake; run with -p no:terminal."""

import os
import pathlib
import sys

import pytest

SOURCE = pathlib.Path(os.environ.get("DLS_TEST_SOURCE", pathlib.Path(__file__).parents[2]))


@pytest.fixture
def scenes():
    return SOURCE / "scenes"


class Tap:
    number = 0

    def line(self, good, name, why="", text=""):
        self.number += 1
        print(f"{'ok' if good else 'not ok'} {self.number} - {name}{why}")
        for line in text.splitlines()[-60:]:
            print("#", line)
        sys.stdout.flush()

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.replace("#", "_")
        if report.skipped:
            self.line(True, name, " # SKIP " + str(report.longrepr[2]).removeprefix("Skipped: "))
        elif report.failed:
            self.line(False, f"{name} ({report.when})", text=report.longreprtext + report.capstdout + report.capstderr)
        elif report.when == "call":
            self.line(True, name)

    def pytest_collectreport(self, report):
        if report.failed:
            self.line(False, report.nodeid or "collection", text=str(report.longrepr))

    def pytest_sessionfinish(self, session, exitstatus):
        print(f"1..{self.number}")


def pytest_configure(config):
    if config.pluginmanager.is_blocked("terminal"):
        config.pluginmanager.register(Tap())
