"""What a generated web site states about its business."""
