"""The quality of scores on real names: rates by set, calibration, and comparison with other programs and earlier scores."""
