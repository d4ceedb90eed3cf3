/* A problem out of a certificate: strict reading, its name, and products with its matrices in rational numbers. */
#include "certified.h"

#include <nettle/sha2.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *certificate; /* that is being checked */

void begin_verdict(const char *file) { certificate = file; }

_Noreturn void end_with(bool accepted, const char *text)
{
    printf("%s: %s: %s\n", certificate, accepted ? "accepted" : "REJECTED", text);
    fflush(stdout);
    _exit(accepted ? 0 : 1);
}

void insist(bool condition, const char *reason)
{
    if (!condition)
        end_with(false, reason);
}

const char *words(const char *form, double x, double y)
{
    enum { SHOWN = 160 };
    char *text = room(SHOWN, 1);
    snprintf(text, SHOWN, form, x, y);
    return text;
}

void *room(slong count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);
    insist(memory, "there is no memory for it");
    return memory;
}

/* --- JSON --- */

json_t *member(const json_t *object, const char *name)
{
    json_t *found = json_object_get(object, name);
    insist(found, "a member is missing");
    return found;
}

void insist_members(const json_t *object, const char *names)
{
    char *list = strdup(names), *at;
    size_t count = 0;
    insist(list && json_is_object(object), "an object is missing");
    for (char *name = strtok_r(list, " ", &at); name; name = strtok_r(NULL, " ", &at), count++)
        member(object, name);
    insist(json_object_size(object) == count, "there is an unknown member");
}

const char *text_of(const json_t *x)
{
    insist(json_is_string(x), "a text is missing");
    return json_string_value(x);
}

bool is_text(const char *text, const char *other) { return strcmp(text, other) == 0; }

slong whole_number(const json_t *x)
{
    insist(json_is_integer(x) && llabs(json_integer_value(x)) < 1000000000, "a number of a row is no integer");
    return (slong)json_integer_value(x);
}

static double double_of(const json_t *x)
{
    const double value = json_number_value(x);
    insist(json_is_number(x) && isfinite(value), "an entry is no number");
    insist(!json_is_integer(x) || (fabs(value) < 0x1p63 && (json_int_t)value == json_integer_value(x)),
           "an integer is no double");
    return value + 0.0;
}

static void fraction_of_double(double x, fmpq_t to)
{
    int exponent;
    fmpz_t scale;
    fmpz_init(scale);
    fmpz_set_si(fmpq_numref(to), (slong)ldexp(frexp(x, &exponent), 53));
    fmpz_one(fmpq_denref(to));
    exponent -= 53;
    fmpz_one(scale);
    fmpz_mul_2exp(scale, scale, (ulong)abs(exponent));
    if (exponent >= 0)
        fmpz_mul(fmpq_numref(to), fmpq_numref(to), scale);
    else
        fmpz_set(fmpq_denref(to), scale);
    fmpq_canonicalise(to);
    fmpz_clear(scale);
}

static void fraction_of_text(const char *text, fmpq_t to)
{
    const size_t sign = text[0] == '-', digits = strspn(text + sign, "0123456789");
    const char *rest = text + sign + digits;
    const size_t under = *rest == '/' ? strspn(rest + 1, "0123456789") : 0;
    insist(digits > 0 && (*rest == '\0' || (under > 0 && rest[1 + under] == '\0')), "a text is no fraction");
    insist(fmpq_set_str(to, text, 10) == 0 && !fmpz_is_zero(fmpq_denref(to)), "a text is no fraction");
    fmpq_canonicalise(to);
}

void exact_number(const json_t *x, fmpq_t to)
{
    if (json_is_string(x))
        fraction_of_text(json_string_value(x), to);
    else
        fraction_of_double(double_of(x), to);
}

fmpq *exact_list(const json_t *list, slong n)
{
    fmpq *x = _fmpq_vec_init(n + 1);
    insist(json_is_array(list) && (slong)json_array_size(list) == n, "a list has another length");
    for (slong i = 0; i < n; i++)
        exact_number(json_array_get(list, (size_t)i), x + i);
    return x;
}

/* --- the name --- */

static void hash_text(struct sha256_ctx *hash, const char *text)
{
    sha256_update(hash, strlen(text), (const uint8_t *)text);
}

/* Numbers as d and a double, little end first; null as n; a text with ; behind it; a list in brackets. */
static void hash_value(struct sha256_ctx *hash, const json_t *x)
{
    static const char *const words[] = {"matrix", "mechanical", "box", "cone", "associated"};
    if (json_is_array(x)) {
        hash_text(hash, "[");
        for (size_t i = 0; i < json_array_size(x); i++)
            hash_value(hash, json_array_get(x, i));
        hash_text(hash, "]");
    } else if (json_is_string(x)) {
        bool known = false;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            known = known || strcmp(words[k], json_string_value(x)) == 0;
        insist(known, "a number of the problem is no double");
        hash_text(hash, json_string_value(x));
        hash_text(hash, ";");
    } else if (json_is_null(x)) {
        hash_text(hash, "n");
    } else {
        const double value = double_of(x);
        uint64_t bits;
        uint8_t bytes[9] = "d";
        memcpy(&bits, &value, sizeof bits);
        for (int k = 0; k < 8; k++)
            bytes[1 + k] = (uint8_t)(bits >> 8 * k);
        sha256_update(hash, sizeof bytes, bytes);
    }
}

enum { PRECISION = 256 };
static const char *const members = "c form friction gamma hi lo mass n rows v_star"; /* in the order of the alphabet */

void name_problem(const json_t *stored, char name[65])
{
    struct sha256_ctx hash;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char *list = strdup(members), *at;
    insist_members(stored, members);
    sha256_init(&hash);
    hash_text(&hash, "[");
    for (char *key = strtok_r(list, " ", &at); key; key = strtok_r(NULL, " ", &at)) {
        hash_text(&hash, key);
        hash_text(&hash, ":");
        hash_value(&hash, json_object_get(stored, key));
    }
    hash_text(&hash, "]");
    sha256_digest(&hash, sizeof digest, digest);
    for (size_t k = 0; k < sizeof digest; k++)
        snprintf(name + 2 * k, 3, "%02x", digest[k]);
}

/* --- the problem --- */

static void read_rows(problem *p, json_t *const *rows)
{
    slong count = 0;
    p->start = room(p->n + 1, sizeof *p->start);
    for (slong i = 0; i < p->n; i++) {
        insist(json_is_array(rows[i]) && json_array_size(rows[i]) % 2 == 0, "a row is no list of pairs");
        p->start[i + 1] = count += (slong)json_array_size(rows[i]) / 2;
    }
    p->column = room(count, sizeof *p->column);
    p->entry = _fmpq_vec_init(count + 1);
    for (slong i = 0; i < p->n; i++)
        for (slong k = p->start[i], before = -1; k < p->start[i + 1]; before = p->column[k++]) {
            const size_t at = 2 * (size_t)(k - p->start[i]);
            p->column[k] = whole_number(json_array_get(rows[i], at));
            insist(p->column[k] > before && p->column[k] < p->columns, "the columns of a row are not ascending");
            exact_number(json_array_get(rows[i], at + 1), p->entry + k);
        }
}

/* A bound may be null. */
static void read_bounds(const json_t *list, slong n, fmpq *to, bool *infinite)
{
    for (slong i = 0; i < n; i++) {
        const json_t *x = json_array_get(list, (size_t)i);
        infinite[i] = json_is_null(x);
        if (!infinite[i])
            exact_number(x, to + i);
    }
}

/* M is positive definite if Cholesky's method succeeds in ball arithmetic. */
static void insist_definite(const fmpq_mat_t M)
{
    enum { MANY_BITS = 4096 };
    arb_mat_t balls, factor;
    arb_mat_init(balls, fmpq_mat_nrows(M), fmpq_mat_nrows(M));
    arb_mat_init(factor, fmpq_mat_nrows(M), fmpq_mat_nrows(M));
    arb_mat_set_fmpq_mat(balls, M, MANY_BITS);
    insist(arb_mat_cho(factor, balls, MANY_BITS), "M is not positive definite");
    arb_mat_clear(factor);
    arb_mat_clear(balls);
}

static void read_mass(problem *p, const json_t *mass, slong nv)
{
    slong end = 0;
    insist(json_is_array(mass), "the mass is no list");
    p->n_blocks = (slong)json_array_size(mass);
    p->blocks = room(p->n_blocks, sizeof *p->blocks);
    for (slong k = 0; k < p->n_blocks; k++) {
        mass_block *block = p->blocks + k;
        const json_t *stored = json_array_get(mass, (size_t)k);
        insist(json_array_size(stored) == 3, "a block of M has not three parts");
        block->first = whole_number(json_array_get(stored, 0));
        block->m = whole_number(json_array_get(stored, 1));
        insist(block->first == end && block->m > 0 && block->m <= nv - end, "the blocks of M are not in order");
        end += block->m;
        const fmpq *lower = exact_list(json_array_get(stored, 2), block->m * (block->m + 1) / 2);
        fmpq_mat_init(block->M, block->m, block->m);
        fmpq_mat_init(block->inverse, block->m, block->m);
        for (slong i = 0; i < block->m; i++)
            for (slong j = 0; j <= i; j++, lower++) {
                fmpq_set(fmpq_mat_entry(block->M, i, j), lower);
                fmpq_set(fmpq_mat_entry(block->M, j, i), lower);
            }
        insist_definite(block->M);
        insist(fmpq_mat_inv(block->inverse, block->M), "M is singular");
    }
    insist(end == nv, "the blocks of M do not cover v*");
}

static friction_law law_of(const json_t *x)
{
    static const char *const laws[] = {[LAW_BOX] = "box", [LAW_CONE] = "cone", [LAW_ASSOCIATED] = "associated"};
    for (friction_law law = LAW_BOX; law <= LAW_ASSOCIATED; law++)
        if (strcmp(text_of(x), laws[law]) == 0)
            return law;
    insist(false, "a friction law is not known");
    return LAW_BOX;
}

static void read_friction(problem *p, const json_t *list)
{
    insist(json_is_array(list), "the friction is no list");
    p->n_friction = (slong)json_array_size(list);
    p->friction = room(p->n_friction, sizeof *p->friction);
    p->tangent = room(p->n, sizeof *p->tangent), p->normal = room(p->n, sizeof *p->normal);
    for (slong k = 0; k < p->n_friction; k++) {
        friction *f = p->friction + k;
        const json_t *stored = json_array_get(list, (size_t)k);
        f->law = law_of(json_array_get(stored, 0));
        f->count = f->law == LAW_BOX ? 1 : 2;
        insist((slong)json_array_size(stored) == 3 + f->count, "a friction law has another number of coefficients");
        f->normal = whole_number(json_array_get(stored, 1)), f->first = whole_number(json_array_get(stored, 2));
        insist(f->normal >= 0 && f->normal < p->n && f->first >= 0 && f->first + f->count <= p->n, "no such row");
        p->normal[f->normal] = true;
        for (slong j = 0; j < f->count; j++) {
            exact_number(json_array_get(stored, 3 + (size_t)j), f->mu + j);
            insist(fmpq_sgn(f->mu + j) >= 0, "a coefficient of friction is negative");
            insist(!p->tangent[f->first + j], "a row is under two friction laws");
            p->tangent[f->first + j] = true;
        }
    }
    for (slong i = 0; i < p->n; i++)
        insist(!p->tangent[i] || !p->normal[i], "a normal row is under a friction law");
}

/* The list without the entries that are left out. */
static json_t *shorter_list(const json_t *stored, const char *name, slong n, const bool *left_out)
{
    json_t *from = member(stored, name), *to = json_array();
    insist(json_is_array(from) && (slong)json_array_size(from) == n, "a list has no n entries");
    for (slong i = 0; i < n; i++)
        if (!left_out || !left_out[i])
            json_array_append(to, json_array_get(from, (size_t)i));
    insist(to, "there is no memory for it");
    return to;
}

problem *read_problem(const json_t *stored, const bool *left_out)
{
    problem *p = room(1, sizeof *p);
    const slong n = whole_number(member(stored, "n"));
    const char *form = text_of(member(stored, "form"));
    p->matrix = strcmp(form, "matrix") == 0;
    insist(p->matrix || strcmp(form, "mechanical") == 0, "the form is not known");
    insist(n >= 0 && !(p->matrix && left_out), "rows of this problem cannot be left out");
    const json_t *rows = shorter_list(stored, "rows", n, left_out);
    p->n = (slong)json_array_size(rows);
    const slong nv = (slong)json_array_size(member(stored, "v_star"));
    p->columns = p->matrix ? n : nv;
    insist(!p->matrix || nv == 0, "a matrix has no velocities");
    json_t **list = room(p->n, sizeof *list);
    for (slong i = 0; i < p->n; i++)
        list[i] = json_array_get(rows, (size_t)i);
    read_rows(p, list);
    p->v_star = p->matrix ? NULL : exact_list(member(stored, "v_star"), nv);
    p->gamma = exact_list(shorter_list(stored, "gamma", n, left_out), p->n);
    p->c = exact_list(shorter_list(stored, "c", n, left_out), p->n);
    p->lo = _fmpq_vec_init(p->n + 1), p->hi = _fmpq_vec_init(p->n + 1);
    p->no_lo = room(p->n, sizeof *p->no_lo), p->no_hi = room(p->n, sizeof *p->no_hi);
    read_bounds(shorter_list(stored, "lo", n, left_out), p->n, p->lo, p->no_lo);
    read_bounds(shorter_list(stored, "hi", n, left_out), p->n, p->hi, p->no_hi);
    for (slong i = 0; i < p->n; i++) {
        insist(p->matrix || fmpq_sgn(p->gamma + i) >= 0, "Gamma is negative");
        insist(p->no_lo[i] || p->no_hi[i] || fmpq_cmp(p->lo + i, p->hi + i) <= 0, "bounds are crossed");
    }
    read_mass(p, member(stored, "mass"), nv);
    read_friction(p, member(stored, "friction"));
    insist(!left_out || p->n_friction == 0, "rows beside friction are not left out");
    return p;
}

/* --- products --- */

static void zero_vector(fmpq *x, slong n)
{
    for (slong i = 0; i < n; i++)
        fmpq_zero(x + i);
}

bool same_vector(const fmpq *x, const fmpq *y, slong n)
{
    for (slong i = 0; i < n; i++)
        if (!fmpq_equal(x + i, y + i))
            return false;
    return true;
}

void root_above(const fmpq_t x, fmpq_t to)
{
    arb_t ball;
    arf_t above;
    arb_init(ball);
    arf_init(above);
    insist(fmpq_sgn(x) >= 0, "a square is negative");
    arb_set_fmpq(ball, x, PRECISION);
    arb_sqrt(ball, ball, PRECISION);
    arb_get_ubound_arf(above, ball, PRECISION);
    arf_get_fmpq(to, above);
    arf_clear(above);
    arb_clear(ball);
}

void times_transposed(const problem *p, const fmpq *y, fmpq *to)
{
    zero_vector(to, p->columns);
    for (slong i = 0; i < p->n; i++)
        for (slong k = p->start[i]; k < p->start[i + 1] && !fmpq_is_zero(y + i); k++)
            fmpq_addmul(to + p->column[k], p->entry + k, y + i);
}

void respond(const problem *p, const fmpq *force, fmpq *to)
{
    zero_vector(to, p->columns);
    for (const mass_block *b = p->blocks; b < p->blocks + p->n_blocks; b++)
        for (slong j = 0; j < b->m; j++)
            for (slong i = 0; i < b->m && !fmpq_is_zero(force + b->first + j); i++)
                fmpq_addmul(to + b->first + i, fmpq_mat_entry(b->inverse, i, j), force + b->first + j);
}

void times_rows(const problem *p, const fmpq *v, fmpq *to)
{
    zero_vector(to, p->n);
    for (slong i = 0; i < p->n; i++)
        for (slong k = p->start[i]; k < p->start[i + 1]; k++)
            if (!fmpq_is_zero(v + p->column[k]))
                fmpq_addmul(to + i, p->entry + k, v + p->column[k]);
}

void dot_product(slong n, const fmpq *x, const fmpq *y, fmpq_t to)
{
    fmpq_zero(to);
    for (slong i = 0; i < n; i++)
        fmpq_addmul(to, x + i, y + i);
}

void square_of_force(const problem *p, const fmpq *force, fmpq_t to)
{
    fmpq *v = _fmpq_vec_init(p->columns + 1);
    respond(p, force, v);
    dot_product(p->columns, force, v, to);
    _fmpq_vec_clear(v, p->columns + 1);
}

void evaluate_w(const problem *p, const fmpq *x, fmpq *w)
{
    fmpq *force = _fmpq_vec_init(p->columns + 1), *v = _fmpq_vec_init(p->columns + 1);
    if (!p->matrix) {
        times_transposed(p, x, force);
        respond(p, force, v);
        for (slong k = 0; k < p->columns; k++)
            fmpq_add(v + k, v + k, p->v_star + k);
    }
    times_rows(p, p->matrix ? x : v, w);
    for (slong i = 0; i < p->n; i++) {
        fmpq_addmul(w + i, p->gamma + i, x + i);
        fmpq_sub(w + i, w + i, p->c + i);
    }
    _fmpq_vec_clear(force, p->columns + 1);
    _fmpq_vec_clear(v, p->columns + 1);
}

bool row_fault(const problem *p, slong i, const fmpq_t x, const fmpq_t w, fmpq_t to)
{
    const bool at_lo = !p->no_lo[i] && fmpq_equal(x, p->lo + i), at_hi = !p->no_hi[i] && fmpq_equal(x, p->hi + i);
    fmpq_zero(to);
    if ((!at_hi && fmpq_sgn(w) < 0) || (!at_lo && fmpq_sgn(w) > 0))
        fmpq_abs(to, w);
    return (p->no_lo[i] || fmpq_cmp(x, p->lo + i) >= 0) && (p->no_hi[i] || fmpq_cmp(x, p->hi + i) <= 0);
}

bool is_solution(const problem *p, const fmpq *x)
{
    fmpq *w = _fmpq_vec_init(p->n + 1);
    fmpq_t fault;
    bool holds = p->n_friction == 0;
    fmpq_init(fault);
    evaluate_w(p, x, w);
    for (slong i = 0; i < p->n; i++)
        holds = holds && row_fault(p, i, x + i, w + i, fault) && fmpq_is_zero(fault);
    fmpq_clear(fault);
    _fmpq_vec_clear(w, p->n + 1);
    return holds;
}

void matrix_of(const problem *p, fmpq_mat_t A)
{
    fmpq *force = _fmpq_vec_init(p->columns + 1), *v = _fmpq_vec_init(p->columns + 1), *e = _fmpq_vec_init(p->n + 1);
    fmpq_mat_init(A, p->n, p->n);
    for (slong i = 0; i < p->n; i++) {
        if (p->matrix) {
            for (slong k = p->start[i]; k < p->start[i + 1]; k++)
                fmpq_set(fmpq_mat_entry(A, i, p->column[k]), p->entry + k);
        } else {
            fmpq_one(e + i);
            times_transposed(p, e, force);
            fmpq_zero(e + i);
            respond(p, force, v);
            times_rows(p, v, fmpq_mat_entry(A, i, 0));
        }
        fmpq_add(fmpq_mat_entry(A, i, i), fmpq_mat_entry(A, i, i), p->gamma + i);
    }
}
