/* response_lanes.h - the loops of response.c along columns of W. Included once for each instruction set, with
 *     NAME(x)   the name of the function x
 *     TARGET    the attribute that turns the instruction set on
 * Entries do not depend on each other and nothing is contracted, so every instruction set gives the same bytes. */

TARGET static void NAME(factorise)(const dls_articulation_work *work)
{
    const dls_articulation *art = work->articulation;
    const struct dls_articulation_inside *tree = art->inside;
    const size_t n = tree->n_slots / 4;
    quad *x = (quad *)work->inside->test_force, *y = x + n, *z = y + n, *rx = z + n, *ry = rx + n, *rz = ry + n;
    for (size_t k = art->nv; k-- > 0;) {
        const dls_vec3 a = dls_tree_half(tree->turns[k], work->S[k]), arm = arm_after(work, k);
        const dls_spatial G = work->inside->G[k];
        const size_t end = tree->slot[art->links[art->dof_link[k]].dof_end] / 4;
        quad *column = (quad *)(work->inside->response + tree->response_column[k]);
        quad *half = tree->turns[k] ? rx : x;
        for (size_t i = tree->slot[k] / 4; i < end; i++) {
            const quad u = column[i] - (a.x * half[i] + a.y * half[n + i] + a.z * half[2 * n + i]);
            const quad fx = x[i] + u * G.lin.x, fy = y[i] + u * G.lin.y, fz = z[i] + u * G.lin.z;
            column[i] = u;
            x[i] = fx, y[i] = fy, z[i] = fz;
            rx[i] = rx[i] + u * G.ang.x + (arm.y * fz - arm.z * fy);
            ry[i] = ry[i] + u * G.ang.y + (arm.z * fx - arm.x * fz);
            rz[i] = rz[i] + u * G.ang.z + (arm.x * fy - arm.y * fx);
        }
    }
}

/* x += W D^-1 z, x by slots */
TARGET static void NAME(spread)(const dls_articulation_work *work, const double *z, double *by_slot)
{
    const dls_articulation *art = work->articulation;
    const struct dls_articulation_inside *tree = art->inside;
    quad *x = (quad *)by_slot;
    for (size_t k = 0; k < art->nv; k++) {
        if (z[k] == 0.0)
            continue;
        const double scale = z[k] * work->inside->D_inverse[k];
        const quad *column = (const quad *)(work->inside->response + tree->response_column[k]);
        const size_t end = tree->slot[art->links[art->dof_link[k]].dof_end] / 4;
        for (size_t i = tree->slot[k] / 4; i < end; i++)
            x[i] += scale * column[i];
    }
}

#undef NAME
#undef TARGET
