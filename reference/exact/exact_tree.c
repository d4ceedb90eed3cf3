#include "exact_tree.h"

#include <stdlib.h>

bool dls_exact_tree_open(dls_exact_tree *tree)
{
    *tree = (dls_exact_tree){0};
    tree->to = open_memstream(&tree->text, &tree->length);
    return tree->to;
}

char *dls_exact_tree_close(dls_exact_tree *tree)
{
    const bool failed = ferror(tree->to) != 0;
    if (fclose(tree->to) == 0 && !failed && !tree->incomplete)
        return tree->text;
    free(tree->text);
    return NULL;
}

void dls_exact_tree_row(dls_exact_tree *tree, size_t row)
{
    if (tree)
        fprintf(tree->to, "{\"row\": %zu", row);
}

void dls_exact_tree_side(dls_exact_tree *tree, const char *side)
{
    if (tree)
        fprintf(tree->to, ",\n\"%s\": ", side);
}

void dls_exact_tree_row_end(dls_exact_tree *tree)
{
    if (tree)
        fputc('}', tree->to);
}

void dls_exact_tree_contradiction(dls_exact_tree *tree, const dls_exact_simplex *simplex)
{
    if (!tree || dls_exact_simplex_exhausted(simplex))
        return;
    const size_t n = simplex->n;
    fmpq *y = _fmpq_vec_init((slong)(2 * n));
    dls_exact_simplex_conflict(simplex, y);
    fputs("{\"farkas\": [", tree->to);
    for (size_t i = 0; i < n; i++) {
        fputs(i > 0 ? ", \"" : "\"", tree->to);
        fmpq_fprint(tree->to, y + n + i);
        fputc('"', tree->to);
    }
    fputs("]}", tree->to);
    _fmpq_vec_clear(y, (slong)(2 * n));
}

void dls_exact_tree_point(dls_exact_tree *tree, bool single)
{
    if (!tree)
        return;
    tree->incomplete = tree->incomplete || !single;
    fputs("{}", tree->to);
}
