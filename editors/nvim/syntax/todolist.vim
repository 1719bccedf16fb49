syntax match Comment /^\[x\] .*/
syntax match Special / · .*/
