; The tree of `mcts` in machine code: what `lab/mcts.py` does, number for number.
;
;     search(B)     plays games from the root of a tree, until it has played as many as it is told or a list may be full;
;                   returns how many it played, -1 where one of them trapped
;
; B holds the words of `tree.SEARCH`; the tree stays where it is between two calls. `kept.ll`, `sampled.ll` or `halving.ll` descends. Words with
; a dollar sign are the game's; functions that are not defined here are those of `common.ll`.

declare double @llvm.sqrt.f64(double)
define internal ptr @list_of(ptr %B, i64 %which) nounwind alwaysinline {
  %at = getelementptr inbounds i64, ptr %B, i64 %which
  %list = load ptr, ptr %at
  ret ptr %list
}
define internal double @real(ptr %p, i64 %i) nounwind alwaysinline {
  %at = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load double, ptr %at
  ret double %v
}
define internal void @put_real(ptr %p, i64 %i, double %v) nounwind alwaysinline {
  %at = getelementptr inbounds i64, ptr %p, i64 %i
  store double %v, ptr %at
  ret void
}
define internal void @add_to(ptr %p, i64 %i, i64 %more) nounwind alwaysinline {
  %v = call i64 @get(ptr %p, i64 %i)
  %sum = add i64 %v, %more
  call void @put(ptr %p, i64 %i, i64 %sum)
  ret void
}
define internal ptr @node_at(ptr %B, i64 %n) nounwind alwaysinline {
  %nodes = call ptr @list_of(ptr %B, i64 $NODES)
  %o = mul i64 %n, $NODE_SIZE
  %at = getelementptr inbounds i64, ptr %nodes, i64 %o
  ret ptr %at
}
define internal ptr @arm_at(ptr %B, i64 %n) nounwind alwaysinline {
  %arms = call ptr @list_of(ptr %B, i64 $ARMS)
  %o = mul i64 %n, $ARM_SIZE
  %at = getelementptr inbounds i64, ptr %arms, i64 %o
  ret ptr %at
}
; Makes a row the current one.
define internal void @enter(ptr %S, ptr %row) nounwind {
  call void @copy_row(ptr %S, ptr %row)
  %behind = getelementptr inbounds i8, ptr %S, i64 $ROW_BYTES
  call void @llvm.memset.p0.i64(ptr %behind, i8 0, i64 $SCRATCH_BYTES, i1 false)
  ret void
}
; Whether a game more certainly finds room for its node and arms.
define internal i1 @has_room(ptr %B) nounwind {
  %nodes = call i64 @get(ptr %B, i64 $NODE_COUNT)
  %node.room = call i64 @get(ptr %B, i64 $NODE_ROOM)
  %arms = call i64 @get(ptr %B, i64 $ARM_COUNT)
  %arm.room = call i64 @get(ptr %B, i64 $ARM_ROOM)
  %more.arms = add i64 %arms, $MOST_OPTIONS
  %fits.node = icmp slt i64 %nodes, %node.room
  %fits.arms = icmp sle i64 %more.arms, %arm.room
  %fits = and i1 %fits.node, %fits.arms
  ret i1 %fits
}
; The upper confidence bound of an arm that was available so often.
define internal double @promise(ptr %B, ptr %arm, i64 %there) nounwind alwaysinline {
  %logs = call ptr @list_of(ptr %B, i64 $LOGS)
  %curiosity = call double @real(ptr %B, i64 $CURIOSITY)
  %taken = call i64 @get(ptr %arm, i64 $ARM_TAKEN)
  %times = sitofp i64 %taken to double
  %won = call double @real(ptr %arm, i64 $ARM_WON)
  %mean = fdiv double %won, %times
  %log = call double @real(ptr %logs, i64 %there)
  %rare = fdiv double %log, %times
  %root = call double @llvm.sqrt.f64(double %rare)
  %bonus = fmul double %curiosity, %root
  %promise = fadd double %mean, %bonus
  ret double %promise
}
; Whether a node considers one option more.
define internal i1 @considers_more(ptr %B, ptr %node, i64 %known, i64 %many) nounwind alwaysinline {
  %visits = call i64 @get(ptr %node, i64 $NODE_VISITS)
  %visited = sitofp i64 %visits to double
  %root = call double @llvm.sqrt.f64(double %visited)
  %breadth = call double @real(ptr %B, i64 $BREADTH)
  %wide = fmul double %breadth, %root
  %has = sitofp i64 %known to double
  %left = icmp slt i64 %known, %many
  %fits = fcmp olt double %has, %wide
  %is = and i1 %left, %fits
  ret i1 %is
}
; Notes an arm of a seat on the path.
define internal void @follow(ptr %B, i64 %depth, i64 %which, i64 %seat) nounwind alwaysinline {
  %path = call ptr @list_of(ptr %B, i64 $PATH)
  %at = mul i64 %depth, 2
  call void @put(ptr %path, i64 %at, i64 %which)
  %beside = add i64 %at, 1
  call void @put(ptr %path, i64 %beside, i64 %seat)
  %deeper = add i64 %depth, 1
  call void @put(ptr %B, i64 $DEPTH, i64 %deeper)
  ret void
}
; What an answer has led to: 0 where it trapped, 1, or 2 if the game is over.
define internal i64 @came_to(ptr %S, ptr %M) nounwind {
  %status = call i64 @get(ptr %M, i64 $STATUS)
  %bad = icmp eq i64 %status, $TRAPPED
  br i1 %bad, label %trapped, label %fine
trapped:
  ret i64 0
fine:
  call void @put(ptr %M, i64 $STATUS, i64 $GOING)
  %question = call i64 @get(ptr %S, i64 $QUESTION)
  %none = icmp eq i64 %question, 0
  %ended = icmp eq i64 %status, $ENDED
  %over = or i1 %none, %ended
  %came = select i1 %over, i64 2, i64 1
  ret i64 %came
}
; `Scale.worth`, by which the only player's score counts; among several, all end with the same score, which is worth one half.
define internal double @scaled(ptr %B, i64 %lead) nounwind {
entry:
  %players = call i64 @get(ptr %B, i64 $PLAYERS)
  %alone = icmp eq i64 %players, 1
  br i1 %alone, label %scale, label %half
half:
  ret double 0.5
scale:
  call void @add_to(ptr %B, i64 $SEEN, i64 1)
  %seen = call i64 @get(ptr %B, i64 $SEEN)
  %times = sitofp i64 %seen to double
  %size = call i64 @llvm.abs.i64(i64 %lead, i1 false)
  %far = sitofp i64 %size to double
  %before = call double @real(ptr %B, i64 $SUM)
  %sum = fadd double %before, %far
  call void @put_real(ptr %B, i64 $SUM, double %sum)
  %level = icmp eq i64 %lead, 0
  br i1 %level, label %half, label %leads
leads:
  %signed = sitofp i64 %lead to double
  %part = fmul double 0.5, %signed
  %mean = fdiv double %sum, %times
  %whole = fadd double %far, %mean
  %share = fdiv double %part, %whole
  %worth = fadd double 0.5, %share
  ret double %worth
}
; Adds what a game is worth to an arm, the one at this place of the path; what it is worth to the first one is noted.
define internal void @reward(ptr %B, i64 %place, i64 %which, double %worth) nounwind alwaysinline {
  %arm = call ptr @arm_at(ptr %B, i64 %which)
  call void @add_to(ptr %arm, i64 $ARM_TAKEN, i64 1)
  %won = call double @real(ptr %arm, i64 $ARM_WON)
  %more = fadd double %won, %worth
  call void @put_real(ptr %arm, i64 $ARM_WON, double %more)
  %is.first = icmp eq i64 %place, 0
  br i1 %is.first, label %note, label %out
note:
  call void @put_real(ptr %B, i64 $WORTH, double %worth)
  br label %out
out:
  ret void
}
; Adds what the final position is worth to each seat to the arms on the path.
define internal void @back_up(ptr %B, ptr %S) nounwind {
entry:
  %how = call i64 @get(ptr %S, i64 $OUTCOME)
  %value = call i64 @get(ptr %S, i64 $OUTCOME_VALUE)
  switch i64 %how, label %add [ i64 $PLAYING, label %level i64 $UNDECIDED, label %level i64 $SCORE, label %scored
                                i64 $WINNER, label %winner i64 $RANKING, label %ranking ]
level:
  br label %scored
scored:
  %lead = phi i64 [ %value, %entry ], [ 0, %level ]
  %to.all = call double @scaled(ptr %B, i64 %lead)
  br label %add
ranking:
  %group = and i64 %value, $GROUP
  br label %winner
winner:
  %mask = phi i64 [ %value, %entry ], [ %group, %ranking ]
  %many = call i64 @llvm.ctpop.i64(i64 %mask)
  %among = sitofp i64 %many to double
  %part = fdiv double 1.0, %among
  br label %add
add:
  %winners = phi i64 [ 0, %entry ], [ 0, %scored ], [ %mask, %winner ]
  %share = phi double [ 0.0, %entry ], [ 0.0, %scored ], [ %part, %winner ]
  %rest = phi double [ 0.0, %entry ], [ %to.all, %scored ], [ 0.0, %winner ]
  %path = call ptr @list_of(ptr %B, i64 $PATH)
  %depth = call i64 @get(ptr %B, i64 $DEPTH)
  br label %again
again:
  %i = phi i64 [ 0, %add ], [ %i1, %one ]
  %left = icmp slt i64 %i, %depth
  br i1 %left, label %one, label %out
one:
  %at = mul i64 %i, 2
  %which = call i64 @get(ptr %path, i64 %at)
  %beside = add i64 %at, 1
  %seat = call i64 @get(ptr %path, i64 %beside)
  %shifted = lshr i64 %winners, %seat
  %bit = and i64 %shifted, 1
  %wins = icmp ne i64 %bit, 0
  %worth = select i1 %wins, double %share, double %rest
  call void @reward(ptr %B, i64 %i, i64 %which, double %worth)
  %i1 = add i64 %i, 1
  br label %again
out:
  ret void
}
define i64 @search(ptr noalias %B) nounwind {
entry:
  %S = call ptr @list_of(ptr %B, i64 $ROW)
  %M = call ptr @list_of(ptr %B, i64 $FRAME)
  %games = call i64 @get(ptr %B, i64 $GAMES)
  %longest = call i64 @get(ptr %B, i64 $LONGEST)
  br label %again
again:
  %done = phi i64 [ 0, %entry ], [ %next, %credited ]
  %left = icmp slt i64 %done, %games
  br i1 %left, label %check, label %out
check:
  %fits = call i1 @has_room(ptr %B)
  br i1 %fits, label %begin, label %out
begin:
  call void @begin_game(ptr %B, ptr %S, ptr %M)
  %came = call i64 @descended(ptr %B, ptr %S, ptr %M)
  switch i64 %came, label %over [ i64 0, label %trapped i64 1, label %play i64 3, label %credited ]
play:
  %plies = call i64 @play_out(ptr %S, ptr %M, i64 %longest)
  %bad = call i1 @is_trapped(ptr %M)
  br i1 %bad, label %trapped, label %played
played:
  call void @put(ptr %M, i64 $STATUS, i64 $GOING)
  br label %over
over:
  call void @back_up(ptr %B, ptr %S)
  br label %credited
credited:
  %worths = call ptr @list_of(ptr %B, i64 $WORTHS)
  %worth = call double @real(ptr %B, i64 $WORTH)
  call void @put_real(ptr %worths, i64 %done, double %worth)
  %next = add i64 %done, 1
  br label %again
out:
  ret i64 %done
trapped:
  ret i64 -1
}
