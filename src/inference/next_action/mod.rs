//! The next-action model: reads a decision in words and says what a careful tester does next.
//!
//! `layout` is how the parts of a reading lie in its input, `states` what the encoder's lower layers make of each part, `model` the
//! session. `models/training/next_action_model.py` is the same in torch.

mod layout;
mod model;
mod states;

pub use model::OnnxNextAction;
