/* Runs a fuzz target over files, for builds without libFuzzer: replay FILE_OR_FOLDER... */
#include <dirent.h>

#include "fuzz/fuzz.h"

static void fail(const char* path, const char* what) {
    fprintf(stderr, "%s: %s\n", path, what);
    exit(2);
}

static void run_file(const char* path, FILE* file) {
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    if (size < 0) fail(path, "cannot be read");
    rewind(file);
    /* A block that ends where the file ends, so that a sanitizer sees each step too far. */
    uint8_t* bytes = malloc(size > 0 ? (size_t)size : 1);
    if (!bytes || fread(bytes, 1, (size_t)size, file) != (size_t)size) fail(path, "cannot be read");
    LLVMFuzzerTestOneInput(bytes, (size_t)size);
    free(bytes);
}

/* Runs one file, or all of a folder; returns how many. */
static int run(const char* path) {
    DIR* folder = opendir(path);
    if (!folder) {
        FILE* file = fopen(path, "rb");
        if (!file) fail(path, "cannot be opened");
        fprintf(stderr, "%s\n", path); /* if it stops here, this is the file */
        run_file(path, file);
        fclose(file);
        return 1;
    }
    int count = 0;
    for (struct dirent* entry = readdir(folder); entry; entry = readdir(folder)) {
        if (entry->d_name[0] == '.') continue;
        char inner[4096];
        int length = snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof inner) fail(path, "the name is too long");
        count += run(inner);
    }
    closedir(folder);
    return count;
}

int main(int argument_count, char** arguments) {
    int count = 0;
    for (int i = 1; i < argument_count; i++) count += run(arguments[i]);
    printf("%d inputs\n", count);
    return count > 0 ? 0 : 2;
}
