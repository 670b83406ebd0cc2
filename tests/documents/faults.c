// The faults of a document as JSON: faults FILE
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>

int main(int count, char** arguments) {
    SinewDocument* document = NULL;
    uint64_t size = 0;
    if (count != 2 || sinew_document_load(arguments[1], &document) != SINEW_OK) return 1;
    if (sinew_document_check(document, NULL, 0, &size) != SINEW_OK) return 2;
    uint8_t* text = malloc(size);
    if (!text || sinew_document_check(document, text, size, &size) != SINEW_OK) return 3;
    fwrite(text, 1, size, stdout);
    free(text);
    sinew_document_destroy(document);
    return 0;
}
