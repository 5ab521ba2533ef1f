// So that functions of other packages may be declared without a body.
