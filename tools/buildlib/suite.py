# SPDX-License-Identifier: GPL-2.0
"""Python's unittest, closing with the count that the gate adds up."""

import unittest

from .common import say


def run(name, module="__main__"):
    suite = unittest.defaultTestLoader.loadTestsFromName(module)
    result = unittest.TextTestRunner(verbosity=2).run(suite)
    failed = len(result.failures) + len(result.errors) + len(result.unexpectedSuccesses)
    # A skipped test proved nothing.
    failed += len(result.skipped)
    say(f"{name}: {result.testsRun - failed} passed, {failed} failed")
    return int(failed > 0 or result.testsRun == 0)
