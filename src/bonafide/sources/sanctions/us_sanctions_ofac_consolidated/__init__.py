"""Consolidated Sanctions List (other than SDN): Office of Foreign Assets Control, US Department of the Treasury."""
