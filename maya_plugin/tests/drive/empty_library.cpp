// A library of the name of Sinew's that has none of its functions.
