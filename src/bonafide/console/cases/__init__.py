"""Cases: the queue of what needs a person, one case with its evidence and decision, the policy, and the timeline of a business."""
