"""What we and our peers make of every container and every producer: docs/compatibility.csv."""
