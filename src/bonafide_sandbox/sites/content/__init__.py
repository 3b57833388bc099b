"""What a made-up web site states of its business."""
