//! The loop of XUAT-Copilot's Algorithm 1: operate, choose parameters, inspect.
