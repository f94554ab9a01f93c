module program

go 1.24

require outrider v0.0.0
