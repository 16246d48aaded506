//! Candidates, the texts the model compares, scores and their explanation.
