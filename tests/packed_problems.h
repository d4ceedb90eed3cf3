/* packed_problems.h - problems put together row by row, over mass blocks of every kind, for tests of packed rows and of
 * sweeps. */
#ifndef DLS_TESTS_PACKED_PROBLEMS_H
#define DLS_TESTS_PACKED_PROBLEMS_H

#include "delassus/delassus.h"

#include "check.h"
#include "draws.h"
#include "solvers/packed.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 64, VELOCITIES = 96, BLOCKS = 14, LENGTH = 20 };
#define OMEGA 1.1

static inline size_t below(size_t n) { return (size_t)uniform(0.0, (double)n); }

/* M^-1 of a block that is no body. */
typedef struct inverse {
    size_t length;
    double W[LENGTH * LENGTH];
} inverse;

static inline void multiply(const inverse *m, const double *x, double *y)
{
    for (size_t i = 0; i < m->length; i++) {
        y[i] = 0.0;
        for (size_t j = 0; j < m->length; j++)
            y[i] += m->W[i * m->length + j] * x[j];
    }
}
static inline void inverse_solve(const void *data, const double *x, double *y) { multiply(data, x, y); }
static inline void inverse_solve_many(const void *data, size_t count, const double *const *x, double *const *y)
{
    for (size_t k = 0; k < count; k++)
        multiply(data, x[k], y[k]);
}
static const dls_mass_kind inverse_kind = {"inverse", NULL, inverse_solve, inverse_solve_many, NULL};

typedef struct mass_block {
    char kind; /* b: a body; f: another block of six that can be weighted; s: one that cannot; z: a body of no
                        inverse mass; a letter from A on: another of as many velocities as its place in the alphabet */
    size_t offset, length;
    bool weighted, apart; /* apart: velocities 0 to 3 and those from 4 on do not move each other */
    inverse m;
    dls_mass_body body;
} mass_block;

typedef struct made {
    dls_problem *p;
    size_t n_blocks, room_rows;
    mass_block block[BLOCKS];
    double J[ROWS][VELOCITIES], B[ROWS][VELOCITIES], diagonal[ROWS];
} made;

static inline void draw_definite(size_t n, double *W, bool apart)
{
    double G[LENGTH][LENGTH];
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            G[i][k] = apart && (i < 4) != (k < 4) ? 0.0 : uniform(-1.0, 1.0);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            W[i * n + j] = i == j ? 0.6 : 0.0;
            for (size_t k = 0; k < n; k++)
                W[i * n + j] += G[i][k] * G[j][k] / (double)n;
        }
}

/* The blocks of `kinds`; rows follow. */
static inline void begin(made *m, const char *kinds)
{
    dls_error error;
    size_t nv = 0;
    memset(m, 0, sizeof *m);
    m->n_blocks = strlen(kinds);
    assert_true(m->n_blocks <= BLOCKS);
    for (size_t k = 0; k < m->n_blocks; k++) {
        mass_block *b = &m->block[k];
        *b = (mass_block){.kind = kinds[k], .offset = nv, .length = strchr("bfsz", kinds[k]) ? 6 : 0};
        if (!b->length)
            b->length = (size_t)(kinds[k] - 'A') + 1;
        b->weighted = b->kind == 'b' || b->kind == 'f';
        b->apart = b->length >= 12 && b->length % 2 == 0;
        nv += b->length;
        if (b->kind == 'b' || b->kind == 'z') {
            b->body.inverse_mass = b->kind == 'b' ? 0.4 + fabs(uniform(-1.0, 1.0)) : 0.0;
            draw_definite(3, b->body.inverse_inertia.m, false);
        } else {
            b->m.length = b->length;
            draw_definite(b->length, b->m.W, b->apart);
            for (size_t j = 0; j < 6 && b->kind == 's'; j++)
                b->m.W[6 * 3 + j] = b->m.W[6 * j + 3] = 0.0;
        }
    }
    assert_true(nv <= VELOCITIES);
    assert_status(dls_problem_allocate(ROWS, nv, 8 * ROWS, 40 * ROWS, m->n_blocks, &m->p, &error), &error);
    for (size_t k = 0; k < m->n_blocks; k++) {
        mass_block *b = &m->block[k];
        const bool body = b->kind == 'b' || b->kind == 'z';
        m->p->mass.blocks[k] = (dls_mass_block){b->offset, b->length, body ? &dls_mass_body_kind : &inverse_kind,
                                                body ? (const void *)&b->body : (const void *)&b->m};
    }
    for (size_t j = 0; j < nv; j++)
        m->p->v_star[j] = uniform(-1.0, 1.0);
    m->p->n = m->p->J.n = m->p->J.n_blocks = 0;
}

/* A row of the pieces in `text`: "2" is all of block 2; "2:1+3" three of its velocities from 1 on; "2:4=-1" the
 * coefficient -1 on one of them. */
static inline size_t row(made *m, const char *text)
{
    dls_problem *p = m->p;
    const size_t i = p->n;
    size_t block = p->J.n_blocks, coef = p->J.coef_at[block];
    assert_true(i < ROWS);
    p->J.start[i] = block;
    for (char *at; *text; text = *at == ' ' ? at + 1 : at) {
        const size_t k = strtoul(text, &at, 10);
        size_t first = 0, length = m->block[k].length;
        double value = 0.0;
        bool given = false;
        if (*at == ':') {
            first = strtoul(at + 1, &at, 10);
            given = *at == '=';
            value = given ? strtod(at + 1, &at) : 0.0;
            length = given ? 1 : strtoul(at + 1, &at, 10);
        }
        assert_true(k < m->n_blocks && first + length <= m->block[k].length && at > text);
        p->J.offset[block] = m->block[k].offset + first, p->J.mass[block] = (uint32_t)k;
        p->J.coef_at[block++] = coef;
        for (size_t j = 0; j < length; j++)
            p->J.coef[coef++] = given ? value : uniform(-1.0, 1.0);
    }
    p->J.start[i + 1] = p->J.n_blocks = block;
    p->J.coef_at[block] = coef;
    p->n = p->J.n = i + 1;
    p->gamma[i] = 0.0, p->c[i] = uniform(-1.0, 1.0), p->lo[i] = -HUGE_VAL, p->hi[i] = HUGE_VAL;
    p->parent[i] = DLS_NONE, p->mu[i] = 0.0;
    return i;
}

static inline void couple(made *m, size_t i, size_t parent)
{
    dls_problem *p = m->p;
    p->parent[i] = parent, p->law[i] = DLS_LAW_BOX, p->mu[i] = 0.2 + 0.3 * fabs(uniform(-1.0, 1.0));
    p->lo[i] = p->hi[i] = 0.0;
    p->n_coupled++;
}

/* J and M^-1 J^T in full. */
static inline void finish(made *m)
{
    dls_problem *p = m->p;
    dls_error error;
    for (size_t i = 0; i < p->n; i++) {
        memset(m->J[i], 0, sizeof m->J[i]);
        dls_rows_axpy(&p->J, i, 1.0, m->J[i]);
        for (size_t k = 0; k < m->n_blocks; k++)
            p->mass.blocks[k].kind->solve(p->mass.blocks[k].data, m->J[i] + m->block[k].offset,
                                          m->B[i] + m->block[k].offset);
        m->diagonal[i] = p->gamma[i];
        for (size_t j = 0; j < p->nv; j++)
            m->diagonal[i] += m->J[i][j] * m->B[i][j];
    }
    assert_status(dls_problem_check(p, &error), &error);
}

/* Nothing moves the row, and it has no compliance. */
static inline bool dead(const made *m, size_t i)
{
    bool zero = m->p->gamma[i] == 0.0;
    for (size_t j = 0; j < m->p->nv; j++)
        zero = zero && m->J[i][j] == 0.0;
    return zero;
}

/* Whether every row can be moved, or is dead; sweeps refuse a row of a body that nothing moves. */
static inline bool can_be_moved(const made *m)
{
    for (size_t i = 0; i < m->p->n; i++)
        if (m->diagonal[i] <= 1e-3 && !dead(m, i))
            return false;
    return true;
}

static inline void end(made *m) { dls_problem_destroy(m->p); }

/* --- random rows --- */

static inline void draw_bounds(made *m, size_t i, size_t mode)
{
    dls_problem *p = m->p;
    if (mode % 2)
        p->lo[i] = below(3) ? -0.3 * (1.0 + uniform(-1.0, 1.0)) : 0.0;
    if (mode / 2 % 2)
        p->hi[i] = below(3) ? 0.2 * (1.0 + uniform(-1.0, 1.0)) : HUGE_VAL;
    if (mode / 4 % 2 && below(2))
        p->gamma[i] = 0.05 + 0.05 * uniform(-1.0, 1.0);
}

/* Rows of one shape that follow each other. */
static inline void draw_rows(made *m)
{
    const size_t shape = below(10), mode = below(8), rows = 1 + below(shape < 4 ? 14 : 4);
    const size_t n = m->n_blocks, a = below(n - 2), b = a + 1 + below(n - a - 2), c = n - 1;
    size_t normal = DLS_NONE;
    for (size_t r = 0; r < rows && m->p->n < ROWS; r++) {
        const size_t length = m->block[a].length, at = below(length), more = 1 + below(length - at);
        char text[64];
        snprintf(text, sizeof text, "%zu", a);
        if (shape <= 2)
            snprintf(text, sizeof text, "%zu %zu", a, b);
        else if (shape == 4)
            snprintf(text, sizeof text, "%zu:%zu+%zu %zu", a, at, more, b);
        else if (shape == 5)
            snprintf(text, sizeof text, "%zu %zu %zu", a, b, c);
        else if (shape == 6)
            snprintf(text, sizeof text, "%zu:%zu=%d", a, at, (int)below(2) * 2 - 1 + (int)(below(4) == 0) * 2);
        else if (shape == 7 && length > 4)
            snprintf(text, sizeof text, "%zu:0+2 %zu:%zu+1", a, a, length - 1);
        else if (shape == 8 && r == 0)
            snprintf(text, sizeof text, "%zu:%zu=0", a, at);
        else if (shape == 8)
            text[0] = 0;
        const size_t i = row(m, text);
        if (shape == 8 && r)
            m->p->gamma[i] = 0.1;
        if (shape == 8 && r == 0)
            continue;
        if (below(40) == 0)
            m->p->gamma[i] = 0.02;
        if ((shape == 0 || shape == 3 || shape > 6) && normal != DLS_NONE && below(8)) {
            couple(m, i, normal);
            normal = below(6) && (i - normal) % 3 == 2 ? DLS_NONE : normal;
            continue;
        }
        draw_bounds(m, i, mode);
        normal = below(12) ? i : DLS_NONE;
    }
}

/* Pairs of bodies that have nothing to do with each other, and as many rows on each, or one less: every lane is full.
 */
static inline void draw_wide_problem(made *m)
{
    const size_t mode = below(3), size = 1 + below(9), ends = 1 + below(2);
    const bool compliant = below(2);
    begin(m, below(3) ? "bbbbbbbbbbbbbb" : "bbfffbbbfbbbff");
    for (size_t a = 0; a + 1 < m->n_blocks; a += 2) {
        const size_t rows = size > 1 ? size - below(2) : 1;
        for (size_t r = 0; r < rows && m->p->n < ROWS; r++) {
            char text[32];
            if (ends == 2)
                snprintf(text, sizeof text, "%zu %zu", a, a + 1);
            else
                snprintf(text, sizeof text, "%zu", a + r / 12);
            const size_t i = row(m, text);
            if (compliant)
                m->p->gamma[i] = 0.1 + 0.05 * uniform(-1.0, 1.0);
            if (mode == 1)
                m->p->lo[i] = -0.3 * (1.0 + uniform(-1.0, 1.0)), m->p->hi[i] = 0.3 * (1.0 + uniform(-1.0, 1.0));
            else if (mode == 2 && r % 3 > 0)
                couple(m, i, i - r % 3);
            else if (mode == 2)
                m->p->lo[i] = below(2) ? 0.0 : -0.2, m->p->hi[i] = below(2) ? 0.4 : HUGE_VAL;
        }
    }
}

static inline void draw_problem(made *m)
{
    static const char *const kinds[] = {"bbb",     "bbbbbbbbbb", "bfbfzb",       "IbCLb", "LPC", "bsbIBfbAz",
                                        "ATPDEHG", "bbbbb",      "bbbbbbbbbbbb", "fffff", "CCC", "LLL"};
    if (below(4) == 0) {
        draw_wide_problem(m);
        return;
    }
    begin(m, kinds[below(sizeof kinds / sizeof *kinds)]);
    for (size_t rows = 1 + below(ROWS); m->p->n < rows;)
        draw_rows(m);
}

#endif
