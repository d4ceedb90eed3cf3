/* Files of FCLIB: the input says which parts a small file has, of which type and length, and what stands in them; HDF5
 * itself writes it, for it is our reader that is looked at. Byte by byte: the size of W, then for each dataset how it
 * is stored, and its values. */
#include "fuzz.h"

#include <hdf5.h>

typedef struct input {
    const unsigned char *at, *end;
} input;

static unsigned next(input *in) { return in->at < in->end ? *in->at++ : 0; }

/* One byte is most often a small number; two that follow 255 are any double or whole number of the corners. */
static double next_value(input *in)
{
    static const double corners[] = {0.0,    -0.0,   1e308, -1e308, 1e-308,       -1.0,        0.5, HUGE_VAL,
                                     -1e300, 1e-300, 1e9,   -1e9,   2147483647.0, 2147483648., NAN, -HUGE_VAL};
    const unsigned byte = next(in);
    return byte == 255 ? corners[next(in) % 16] : (double)byte - (byte < 128 ? 0.0 : 256.0);
}

enum { VALUES_MAX = 400 };

/* How a dataset of `count` numbers that should be reals or whole numbers is written: as it should be, most often. */
static void put(hid_t file, input *in, const char *name, bool real, size_t count, const double *fixed)
{
    const hid_t types[] = {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_STD_I32LE,      H5T_STD_I64LE,
                           H5T_STD_U8LE,   H5T_IEEE_F64BE, H5T_NATIVE_LDOUBLE, H5T_C_S1};
    const unsigned how = next(in);
    double values[VALUES_MAX];
    if (how == 200)
        return; /* it is missing */
    if (how > 200)
        count = next(in) % VALUES_MAX;
    count = count > VALUES_MAX ? VALUES_MAX : count;
    for (size_t i = 0; i < count; i++)
        values[i] = fixed && how < 100 ? fixed[i] : next_value(in);
    const hid_t type = how % 16 < 8 ? (real ? H5T_IEEE_F64LE : H5T_STD_I32LE) : types[how % 8];
    const hsize_t extent[2] = {count, 1};
    hid_t space = how == 199 ? H5Screate(H5S_SCALAR) : H5Screate_simple(how % 32 == 7 ? 2 : 1, extent, NULL);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0 && type != H5T_C_S1)
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(set);
    H5Sclose(space);
}

static void put_group(hid_t file, const char *name)
{
    H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}

/* W = identity in the storage that nz says, unless the input says otherwise. */
static void put_matrix(hid_t file, input *in, size_t n)
{
    const double size = (double)n, stored[] = {-1.0, -2.0, size}, nz = stored[next(in) % 3];
    double line[VALUES_MAX], ones[VALUES_MAX];
    for (size_t i = 0; i < VALUES_MAX; i++)
        line[i] = (double)i, ones[i] = 1.0;
    put(file, in, "/fclib_local/W/m", false, 1, &size);
    put(file, in, "/fclib_local/W/n", false, 1, &size);
    put(file, in, "/fclib_local/W/nz", false, 1, &nz);
    put(file, in, "/fclib_local/W/p", false, nz < 0.0 ? n + 1 : n, line);
    put(file, in, "/fclib_local/W/i", false, n, line);
    put(file, in, "/fclib_local/W/x", true, n, ones);
}

static size_t make_file(input *in, unsigned char **image)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, 0);
    hid_t file = H5Fcreate("fuzz", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    const size_t n = 3 * (next(in) % 5);
    const unsigned groups = next(in);
    const double three = 3.0;
    if (groups != 255)
        put_group(file, "/fclib_local");
    if (groups != 254)
        put_group(file, "/fclib_local/W");
    if (groups != 253)
        put_group(file, "/fclib_local/vectors");
    if (groups == 252)
        put_group(file, "/fclib_local/V");
    put(file, in, "/fclib_local/spacedim", false, 1, &three);
    put_matrix(file, in, n);
    put(file, in, "/fclib_local/vectors/q", true, n, NULL);
    put(file, in, "/fclib_local/vectors/mu", true, n / 3, NULL);
    if (groups % 2) {
        put_group(file, "/solution");
        put(file, in, "/solution/r", true, n, NULL);
    }
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    ssize_t size = H5Fget_file_image(file, NULL, 0);
    *image = size > 0 ? malloc((size_t)size) : NULL;
    if (*image)
        H5Fget_file_image(file, *image, (size_t)size);
    H5Fclose(file);
    H5Pclose(access);
    return *image ? (size_t)size : 0;
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    input in = {data, data + size};
    unsigned char *image = NULL;
    dls_content content = {0};
    dls_error error;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    size_t length = make_file(&in, &image);
    fuzz_insist(image != NULL);
    dls_status status = dls_file_parse((const char *)image, length, "fuzz", "fclib", &content, &error);
    fuzz_check(status, content.problem, &error);
    if (content.problem)
        fuzz_use_problem(content.problem);
    dls_content_release(&content);
    free(image);
    return 0;
}
