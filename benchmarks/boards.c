/* Random games of four board games in C, one byte a square: what `rulelang bench` holds machine code against.

   boards GAME MANY SEED      prints how many moves MANY random games took, and the seconds of CPU

   The same games as tests/classics. Plain boards, no masks of bits: what one would write without thinking about speed. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t luck;

static int below(int many) {
    uint64_t word = luck += 0x9E3779B97F4A7C15u;
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
    word = (word ^ word >> 27) * 0x94D049BB133111EBu;
    word ^= word >> 31;
    return (int)((word >> 32) * (uint64_t)many >> 32);
}

static int tic_tac_toe(void) {
    static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
    char marks[9] = {0};
    for (int ply = 0; ply < 9; ply++) {
        int moves[9], many = 0, mover = 1 + (ply & 1);
        for (int s = 0; s < 9; s++)
            if (!marks[s]) moves[many++] = s;
        marks[moves[below(many)]] = (char)mover;
        for (int i = 0; i < 8; i++)
            if (marks[lines[i][0]] == mover && marks[lines[i][1]] == mover && marks[lines[i][2]] == mover) return ply + 1;
    }
    return 9;
}

static int run(char board[7][6], int x, int y, int across, int up, int mover) {
    int count = 0;
    for (x += across, y += up; x >= 0 && x < 7 && y >= 0 && y < 6 && board[x][y] == mover; x += across, y += up) count++;
    return count;
}

static int connect_four(void) {
    static const int lines[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    char board[7][6] = {{0}};
    int heights[7] = {0};
    for (int ply = 0; ply < 42; ply++) {
        int moves[7], many = 0, mover = 1 + (ply & 1);
        for (int x = 0; x < 7; x++)
            if (heights[x] < 6) moves[many++] = x;
        int x = moves[below(many)], y = heights[x]++;
        board[x][y] = (char)mover;
        for (int i = 0; i < 4; i++)
            if (run(board, x, y, lines[i][0], lines[i][1], mover) + run(board, x, y, -lines[i][0], -lines[i][1], mover) >= 3)
                return ply + 1;
    }
    return 42;
}

/* Boards of 8 x 8 lie in one of 10 x 10 whose edge holds 3. */
static const int around[8] = {-11, -10, -9, -1, 1, 9, 10, 11};

static int flanked(const char *board, int at, int direction, int mover) {
    int other = 3 - mover, count = 0;
    for (at += direction; board[at] == other; at += direction) count++;
    return board[at] == mover ? count : 0;
}

static int othello_moves(const char *board, int mover, int *moves) {
    int many = 0;
    for (int at = 11; at < 89; at++)
        if (!board[at])
            for (int i = 0; i < 8; i++)
                if (flanked(board, at, around[i], mover)) {
                    moves[many++] = at;
                    break;
                }
    return many;
}

static void empty(char *board) {
    memset(board, 3, 100);
    for (int y = 1; y < 9; y++) memset(board + 10 * y + 1, 0, 8);
}

static int othello(void) {
    char board[100];
    int moves[64], plies = 0, mover = 1;
    empty(board);
    board[44] = board[55] = 2;
    board[45] = board[54] = 1;
    for (int passed = 0; passed < 2; mover = 3 - mover) {
        int many = othello_moves(board, mover, moves);
        if (!many) {
            passed++;
            continue;
        }
        passed = 0;
        plies++;
        int at = moves[below(many)];
        for (int i = 0; i < 8; i++)
            for (int k = flanked(board, at, around[i], mover); k > 0; k--) board[at + k * around[i]] = (char)mover;
        board[at] = (char)mover;
    }
    return plies;
}

static int breakthrough(void) {
    char board[100];
    int men[3] = {0, 16, 16};
    empty(board);
    for (int x = 1; x < 9; x++) board[10 + x] = board[20 + x] = 1, board[70 + x] = board[80 + x] = 2;
    for (int ply = 0;; ply++) {
        int from[48], to[48], many = 0, mover = 1 + (ply & 1), other = 3 - mover, step = mover == 1 ? 10 : -10;
        for (int at = 11; at < 89; at++)
            if (board[at] == mover)
                for (int across = -1; across < 2; across++) {
                    char there = board[at + step + across];
                    if (!there || (there == other && across)) from[many] = at, to[many++] = at + step + across;
                }
        int move = below(many), row = to[move] / 10;
        men[other] -= board[to[move]] == other;
        board[to[move]] = (char)mover;
        board[from[move]] = 0;
        if (row == (mover == 1 ? 8 : 1) || !men[other]) return ply + 1;
    }
}

int main(int count, char **words) {
    static const struct {
        const char *name;
        int (*play)(void);
    } games[] = {{"tic_tac_toe", tic_tac_toe}, {"connect_four", connect_four}, {"othello", othello}, {"breakthrough", breakthrough}};
    if (count != 4) return 2;
    luck = strtoull(words[3], NULL, 10);
    for (size_t i = 0; i < sizeof games / sizeof *games; i++)
        if (!strcmp(words[1], games[i].name)) {
            long long plies = 0;
            clock_t start = clock();
            for (long n = atol(words[2]); n > 0; n--) plies += games[i].play();
            printf("%lld %.6f\n", plies, (double)(clock() - start) / CLOCKS_PER_SEC);
            return 0;
        }
    return 2;
}
