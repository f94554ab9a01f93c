module outrider

go 1.24
