/* A problem as JSON, and its name: the SHA-256 of its contents, which is the same however the numbers are written.
 *
 * The bytes that are hashed are "[" and "]" around an object or a list, a name and ":" before a member, "d" and 8 bytes
 * for a number (IEEE 754, little end first; -0 counts as 0), "n" for null, and ";" behind a text, none of which begins
 * with d or n: different problems have different bytes. The members of the object are in alphabetical order. */
#include "statement.h"

#include "base/text.h"

#include <nettle/sha2.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct emitter {
    FILE *to; /* NULL: the hash alone */
    struct sha256_ctx hash;
    bool first; /* in its list or object */
} emitter;

static void emit_text(emitter *e, const char *text)
{
    if (e->to)
        fputs(text, e->to);
}

static void emit_hash(emitter *e, const char *bytes) { sha256_update(&e->hash, strlen(bytes), (const uint8_t *)bytes); }

static void emit_separator(emitter *e)
{
    emit_text(e, e->first ? "" : ", ");
    e->first = false;
}

static void emit_number(emitter *e, double x)
{
    char text[40];
    uint64_t bits;
    uint8_t bytes[8];
    x += 0.0; /* -0 becomes 0 */
    emit_separator(e);
    dls_print(text, sizeof text, "%.17g", x);
    emit_text(e, text);
    memcpy(&bits, &x, sizeof bits);
    for (int k = 0; k < 8; k++)
        bytes[k] = (uint8_t)(bits >> 8 * k);
    emit_hash(e, "d");
    sha256_update(&e->hash, sizeof bytes, bytes);
}

static void emit_word(emitter *e, const char *word)
{
    emit_separator(e);
    emit_text(e, "\"");
    emit_text(e, word);
    emit_text(e, "\"");
    emit_hash(e, word);
    emit_hash(e, ";");
}

static void emit_open(emitter *e)
{
    emit_separator(e);
    emit_text(e, "[");
    emit_hash(e, "[");
    e->first = true;
}

static void emit_close(emitter *e)
{
    emit_text(e, "]");
    emit_hash(e, "]");
    e->first = false;
}

static void emit_member(emitter *e, const char *name)
{
    emit_text(e, e->first ? "{\n\"" : ",\n\"");
    emit_text(e, name);
    emit_text(e, "\": ");
    emit_hash(e, name);
    emit_hash(e, ":");
    e->first = true;
}

static void emit_numbers(emitter *e, const char *name, size_t count, const double *x)
{
    emit_member(e, name);
    emit_open(e);
    for (size_t i = 0; i < count; i++) {
        if (isinf(x[i])) {
            emit_separator(e);
            emit_text(e, "null");
            emit_hash(e, "n");
        } else {
            emit_number(e, x[i]);
        }
    }
    emit_close(e);
}

static void emit_friction(emitter *e, const dls_problem *p)
{
    static const char *const laws[] = {
        [DLS_LAW_BOX] = "box", [DLS_LAW_CONE] = "cone", [DLS_LAW_ASSOCIATED] = "associated"};
    emit_member(e, "friction");
    emit_open(e);
    for (size_t i = 0; i < p->n; i++) {
        if (p->parent[i] == DLS_NONE)
            continue;
        const size_t last = i + (dls_law_has_discs(p->law[i]) ? 1 : 0);
        emit_open(e);
        emit_word(e, laws[p->law[i]]);
        emit_number(e, (double)p->parent[i]);
        emit_number(e, (double)i);
        emit_number(e, p->mu[i]);
        if (last > i)
            emit_number(e, p->mu[last]);
        emit_close(e);
        i = last;
    }
    emit_close(e);
}

static void emit_rows(emitter *e, const dls_problem *p)
{
    const dls_rows *J = &p->J;
    emit_member(e, "rows");
    emit_open(e);
    for (size_t i = 0; i < p->n; i++) {
        emit_text(e, i > 0 ? "" : "\n");
        emit_open(e);
        for (size_t k = J->start[i]; k < J->start[i + 1]; k++)
            for (size_t c = J->coef_at[k], j = J->offset[k]; c < J->coef_at[k + 1]; c++, j++) {
                emit_number(e, (double)j);
                emit_number(e, J->coef[c]);
            }
        emit_close(e);
        emit_text(e, i + 1 < p->n ? "" : "\n");
    }
    emit_close(e);
}

/* `room`: of the longest block, its matrix and one column. */
static void emit_mass(emitter *e, const dls_problem *p, double *room)
{
    emit_member(e, "mass");
    emit_open(e);
    for (size_t k = 0; k < p->mass.n_blocks; k++) {
        const dls_mass_block *block = &p->mass.blocks[k];
        const size_t m = block->length;
        dls_mass_block_matrix(block, room, room + m, m);
        emit_open(e);
        emit_number(e, (double)block->offset);
        emit_number(e, (double)m);
        emit_open(e);
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j <= i; j++)
                emit_number(e, room[m + i + m * j]);
        emit_close(e);
        emit_close(e);
    }
    emit_close(e);
}

dls_status dls_statement_problem(const dls_problem *p, FILE *to, char name[DLS_PROBLEM_NAME], dls_error *error)
{
    emitter e = {.to = to, .first = true};
    const size_t longest = dls_mass_longest(&p->mass);
    dls_arena memory = {0};
    double *room = DLS_TAKE(&memory, double, longest *(longest + 1) + 1);
    uint8_t digest[SHA256_DIGEST_SIZE];
    if (memory.failed)
        return dls_fail(error, DLS_NO_MEMORY, "no memory to name a problem of %zu rows", p->n);
    sha256_init(&e.hash);
    emit_hash(&e, "[");
    emit_numbers(&e, "c", p->n, p->c);
    emit_member(&e, "form");
    emit_word(&e, p->form == DLS_FORM_MATRIX ? "matrix" : "mechanical");
    emit_friction(&e, p);
    emit_numbers(&e, "gamma", p->n, p->gamma);
    emit_numbers(&e, "hi", p->n, p->hi);
    emit_numbers(&e, "lo", p->n, p->lo);
    emit_mass(&e, p, room);
    emit_member(&e, "n");
    emit_number(&e, (double)p->n);
    emit_rows(&e, p);
    emit_numbers(&e, "v_star", p->form == DLS_FORM_MATRIX ? 0 : p->nv, p->v_star);
    emit_text(&e, "}");
    emit_hash(&e, "]");
    dls_arena_release(&memory);
    sha256_digest(&e.hash, sizeof digest, digest);
    for (size_t k = 0; k < sizeof digest; k++)
        snprintf(name + 2 * k, 3, "%02x", digest[k]);
    return DLS_OK;
}
