/* The solver of the 2013 paper: CSparse's LU, ordered, analysed, factored and solved anew in every step.
   The matrix is by columns; `order` is 1 for A + A', 2 for A'A; b becomes the answer. Returns 1 when it went well. */
#include <cs.h>

int peer_solve(int order, int n, int *starts, int *rows, double *values, double *b)
{
    cs_di a = {starts[n], n, n, starts, rows, values, -1};
    /* Pivots as in the demos of CSparse: by size, or near the diagonal when the pattern is symmetric. */
    return cs_di_lusol(order, &a, b, order == 1 ? 0.001 : 1.0);
}
