/* Runs a job as a farm's own program does: jobs SCENE FOLDER CASE
 *
 * run       to its end; the progress that is heard is that of the frames
 * upward    the same on the calling thread, which rounds upward
 * stopped   until a second thread cancels it
 * wrong     it cannot run: prints the message, and the place
 */
#include <fenv.h>
#include <pthread.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void expect(int line, int condition) {
    if (!condition) {
        fprintf(stderr, "line %d: %s\n", line, sinew_last_error_message());
        exit(1);
    }
}
#define EXPECT(condition) expect(__LINE__, condition)

/* Those of the scene, from 1. */
enum { FRAMES = 8 };

/* What is heard, from any thread. */
typedef struct Heard {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    SinewJob *job;
    int frame, calls, stop_at, stopped;
} Heard;

static int32_t on_progress(void *user, double done, const char *task) {
    Heard *heard = user;
    int frame = 0;
    pthread_mutex_lock(&heard->lock);
    heard->calls++;
    EXPECT(done >= 0 && done <= 1);
    if (sscanf(task, "frame %d: ", &frame) == 1) {
        EXPECT(frame >= heard->frame && done >= (frame - 1) / (double)FRAMES - 1e-9 && done <= frame / (double)FRAMES + 1e-9);
        heard->frame = frame;
    }
    /* The job is in use, even from its own callbacks. */
    if (heard->calls == 1) EXPECT(sinew_job_run(heard->job) == SINEW_BUSY);
    pthread_cond_broadcast(&heard->changed);
    while (heard->stop_at && heard->frame >= heard->stop_at && !heard->stopped) pthread_cond_wait(&heard->changed, &heard->lock);
    pthread_mutex_unlock(&heard->lock);
    return 0;
}

static void on_log(void *user, int32_t level, const char *message) {
    (void)user;
    printf("%s: %s\n", level == 1 ? "warning" : "note", message);
}

static void *canceller(void *user) {
    Heard *heard = user;
    pthread_mutex_lock(&heard->lock);
    while (heard->frame < heard->stop_at) pthread_cond_wait(&heard->changed, &heard->lock);
    EXPECT(sinew_job_cancel(heard->job) == SINEW_OK);
    heard->stopped = 1;
    pthread_cond_broadcast(&heard->changed);
    pthread_mutex_unlock(&heard->lock);
    return NULL;
}

static void print_report(SinewJob *job) {
    uint64_t needed = 0;
    EXPECT(sinew_job_report(job, NULL, 0, &needed) == SINEW_OK);
    uint8_t *text = malloc(needed);
    EXPECT(text && sinew_job_report(job, text, needed, NULL) == SINEW_OK);
    fwrite(text, 1, needed, stdout);
    puts("");
    free(text);
}

/* Threads do not survive a fork, and are not waited for. */
static void forked(SinewJob *job) {
    const pid_t child = fork();
    if (child == 0) _exit(sinew_job_run(job) == SINEW_UNSUPPORTED ? 0 : 1);
    int status = 1;
    EXPECT(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

int main(int count, char **given) {
    EXPECT(count == 4 && sinew_check_version(SINEW_ABI_MAJOR, SINEW_ABI_MINOR) == SINEW_OK);
    const char *what = given[3];
    const int upward = strcmp(what, "upward") == 0, stopped = strcmp(what, "stopped") == 0;
    Heard heard = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER, .stop_at = stopped ? 3 : 0};
    const SinewContextConfig how = {.struct_size = sizeof how,
                                    .threads = 2,
                                    .log = on_log,
                                    .progress = on_progress,
                                    .progress_user = &heard,
                                    .flags = upward ? SINEW_ON_CALLING_THREAD : 0};
    SinewContext *context = NULL;
    EXPECT(sinew_context_create(&how, &context) == SINEW_OK);
    char scene[4096], folder[4096];
    snprintf(scene, sizeof scene, "%s", given[1]);
    snprintf(folder, sizeof folder, "%s", given[2]);
    const SinewJobConfig config = {.struct_size = sizeof config, .scene = scene, .folder = folder};
    EXPECT(sinew_job_create(context, &config, &heard.job) == SINEW_OK);
    sinew_context_destroy(context);
    scene[0] = folder[0] = 0; /* they were read */

    if (!upward) forked(heard.job);
    if (upward) fesetround(FE_UPWARD);
    pthread_t thread;
    if (stopped) EXPECT(pthread_create(&thread, NULL, canceller, &heard) == 0);
    const SinewStatus status = sinew_job_run(heard.job);
    if (upward) EXPECT(fegetround() == FE_UPWARD && fesetround(FE_TONEAREST) == 0);
    if (stopped) EXPECT(pthread_join(thread, NULL) == 0 && status == SINEW_CANCELLED);
    if (strcmp(what, "wrong") == 0 || stopped) {
        SinewPlace place = {.struct_size = sizeof place};
        EXPECT(status != SINEW_OK && sinew_last_error_place(&place) == SINEW_OK);
        printf("status %d, line %d, frame %d: %s\n", (int)status, (int)place.line, (int)place.frame, sinew_last_error_message());
    } else {
        EXPECT(status == SINEW_OK && heard.frame == FRAMES && heard.calls > FRAMES);
    }
    print_report(heard.job);
    sinew_job_destroy(heard.job);
    return 0;
}
