/* Replacement of collision detection if the library was configured without it.
 */
#include "delassus/contact.h"

bool dls_collider_available(void) { return false; }

dls_status dls_collider_create(const dls_model *model, dls_collider **collider, dls_error *error)
{
    *collider = NULL;
    return dls_fail(error, DLS_UNAVAILABLE,
                    "scene '%s' finds its contacts by collision detection, which this build is without; "
                    "install ODE (libode-dev) and configure again",
                    dls_model_name(model));
}

dls_status dls_collider_find(dls_collider *collider, const dls_state *state, dls_contacts *contacts, dls_error *error)
{
    (void)collider, (void)state, (void)contacts;
    return dls_fail(error, DLS_UNAVAILABLE, "built without collision detection");
}

dls_status dls_collider_find_at(dls_collider *collider, const dls_configuration *at, dls_contacts *contacts,
                                dls_error *error)
{
    (void)collider, (void)at, (void)contacts;
    return dls_fail(error, DLS_UNAVAILABLE, "built without collision detection");
}

void dls_collider_destroy(dls_collider *collider) { (void)collider; }
