"""Certificates that travel: what `certify` claims, and what the program that checks them says."""

import importlib.util
import json
import os
import pathlib

import delassus as dls
import numpy as np
import pytest

LCP = [[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0]  # lambda = (4/3, 7/3)


@pytest.fixture
def checked(tmp_path):
    """The words of the checker for the certificate of these arguments."""
    source = pathlib.Path(os.environ.get("DLS_TEST_SOURCE", ".")) / "proof" / "check_certificate.py"
    spec = importlib.util.spec_from_file_location("check_certificate", source)
    checker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checker)

    def check(problem, *arguments, **names):
        path = tmp_path / "a.cert.json"
        statement = dls.certify(problem, *arguments, output=path, **names)
        assert statement and json.loads(path.read_text())["sha256"] == statement.sha256
        return statement.kind, checker.check(path.read_text())

    return check


def test_every_kind(checked):
    lcp = dls.Problem(*LCP)
    assert checked(lcp) == ("all", "one solution, and no other")
    kind, words = checked(lcp, [4 / 3, 7 / 3])
    assert kind == "solution" and "the only solution" in words
    assert checked(dls.Problem([[0.0]], [0.0]))[0] == "continuum"
    assert checked(dls.Problem([[0.0]], [-1.0]))[1] == "no solution"
    assert checked(dls.Problem([[0.0]], [-1.0]), farkas=[1.0])[1] == "no solution"
    assert checked(dls.Problem([[1.0, 2.0], [2.0, 1.0]], [-1.0, -1.0])) == ("all", "3 solutions, and no others")


def test_a_rank_deficient_mechanism_has_a_velocity(checked):
    wall = dls.Scene("scenes/wall.yaml" if os.path.exists("scenes/wall.yaml") else
                     os.path.join(os.environ.get("DLS_TEST_SOURCE", "."), "scenes/wall.yaml"))
    kind, words = checked(wall, dls.solve(wall).impulses)
    assert kind == "velocity" and "v+ of all solutions" in words


def test_far_impulses_have_a_large_radius(checked):
    lcp = dls.Problem(*LCP)
    near, far = [dls.certify(lcp, np.array([4 / 3, 7 / 3]) + off).text for off in (0.0, 1.0)]
    assert float(near.split()[5]) < 1e-15 and abs(float(far.split()[5]) - 1.0) < 0.02


def test_wrong_arguments():
    lcp = dls.Problem(*LCP)
    with pytest.raises((ValueError, TypeError, dls.Error)):
        dls.certify(lcp, [1.0])
    with pytest.raises(TypeError):
        dls.certify(lcp, [1.0, 1.0], farkas=[1.0, 1.0])
    with pytest.raises(dls.Error):
        dls.certify(lcp, [np.nan, 1.0])
    assert not dls.certify(lcp, farkas=[1.0, 1.0])
