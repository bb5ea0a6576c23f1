# SPDX-License-Identifier: Apache-2.0
"""What the package gonogo uses instead of its own extension module where this package is installed: the same with robots."""
