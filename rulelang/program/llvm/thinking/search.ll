; The tree of `mcts` in machine code: what `lab/mcts.py` does in a game without chance, secrets and score, number for number.
;
;     search(B)     plays games from the root of a tree, until it has played as many as it is told or a list may be full;
;                   returns how many it played, -1 where one of them trapped
;
; B holds the words of `tree.SEARCH`. A node has an arm for each option once it is visited again, and keeps its row, so a game
; costs one answer and a random game. The tree stays where it is between two calls. Words with a dollar sign are the game's;
; functions that are not defined here are those of `common.ll`.

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
; Makes the row of a node the current one.
define internal void @enter(ptr %S, ptr %node) nounwind {
  %row = call ptr @place(ptr %node, i64 $NODE_ROW)
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
; Gives a node an arm for each of its options; whether that went well.
define internal i1 @list_arms(ptr %B, ptr %S, ptr %M, ptr %node) nounwind {
entry:
  call void @enter(ptr %S, ptr %node)
  %seat = call i64 @get(ptr %node, i64 $NODE_SEAT)
  %many = call i64 @offered(ptr %S, ptr %M, i64 %seat)
  %first = call i64 @get(ptr %B, i64 $ARM_COUNT)
  call void @put(ptr %node, i64 $NODE_FIRST, i64 %first)
  call void @put(ptr %node, i64 $NODE_MANY, i64 %many)
  call void @add_to(ptr %B, i64 $ARM_COUNT, i64 %many)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %one ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %one, label %out
one:
  %which = add i64 %first, %i
  %arm = call ptr @arm_at(ptr %B, i64 %which)
  call void @put(ptr %arm, i64 $ARM_TAKEN, i64 0)
  call void @put_real(ptr %arm, i64 $ARM_WON, double 0.0)
  call void @put(ptr %arm, i64 $ARM_BORN, i64 0)
  call void @put(ptr %arm, i64 $ARM_CHILD, i64 0)
  %option = call ptr @listed(ptr %M, i64 %i)
  %answer = call ptr @place(ptr %arm, i64 $ARM_ANSWER)
  call void @copy_answer(ptr %answer, ptr %option)
  %i1 = add i64 %i, 1
  br label %again
out:
  %some = icmp ne i64 %many, 0
  ret i1 %some
}
; `InformationSet.chosen`: the number of an arm.
define internal i64 @chosen(ptr %B, ptr %M, ptr %node) nounwind {
  call void @add_to(ptr %node, i64 $NODE_VISITS, i64 1)
  %visits = call i64 @get(ptr %node, i64 $NODE_VISITS)
  %many = call i64 @get(ptr %node, i64 $NODE_MANY)
  %known = call i64 @get(ptr %node, i64 $NODE_KNOWN)
  %visited = sitofp i64 %visits to double
  %root = call double @llvm.sqrt.f64(double %visited)
  %width = call double @real(ptr %B, i64 $BREADTH)
  %wide = fmul double %width, %root
  %has = sitofp i64 %known to double
  %left = icmp slt i64 %known, %many
  %fits = fcmp olt double %has, %wide
  %is.new = and i1 %left, %fits
  br i1 %is.new, label %new, label %old
new:
  %arm = call i64 @new_arm(ptr %B, ptr %M, ptr %node)
  ret i64 %arm
old:
  %best = call i64 @most_promising(ptr %B, ptr %node)
  ret i64 %best
}
; One of the arms that were not taken yet, at random.
define internal i64 @new_arm(ptr %B, ptr %M, ptr %node) nounwind {
entry:
  %many = call i64 @get(ptr %node, i64 $NODE_MANY)
  %known = call i64 @get(ptr %node, i64 $NODE_KNOWN)
  %first = call i64 @get(ptr %node, i64 $NODE_FIRST)
  %new = sub i64 %many, %known
  %drawn = call i64 @below(ptr %M, i64 %new)
  br label %again
again:
  %n = phi i64 [ %first, %entry ], [ %n1, %next ]
  %skip = phi i64 [ %drawn, %entry ], [ %skip1, %next ]
  %arm = call ptr @arm_at(ptr %B, i64 %n)
  %taken = call i64 @get(ptr %arm, i64 $ARM_TAKEN)
  %is.new = icmp eq i64 %taken, 0
  %is.last = icmp eq i64 %skip, 0
  %is.found = and i1 %is.new, %is.last
  br i1 %is.found, label %found, label %next
next:
  %less = zext i1 %is.new to i64
  %skip1 = sub i64 %skip, %less
  %n1 = add i64 %n, 1
  br label %again
found:
  %visits = call i64 @get(ptr %node, i64 $NODE_VISITS)
  call void @put(ptr %arm, i64 $ARM_BORN, i64 %visits)
  call void @add_to(ptr %node, i64 $NODE_KNOWN, i64 1)
  ret i64 %n
}
; `most_promising`: an arm was available at each visit since it was taken first.
define internal i64 @most_promising(ptr %B, ptr %node) nounwind {
entry:
  %many = call i64 @get(ptr %node, i64 $NODE_MANY)
  %first = call i64 @get(ptr %node, i64 $NODE_FIRST)
  %end = add i64 %first, %many
  %visits = call i64 @get(ptr %node, i64 $NODE_VISITS)
  %since = add i64 %visits, 1
  %logs = call ptr @list_of(ptr %B, i64 $LOGS)
  %curiosity = call double @real(ptr %B, i64 $CURIOSITY)
  br label %again
again:
  %n = phi i64 [ %first, %entry ], [ %n1, %next ]
  %best = phi i64 [ %first, %entry ], [ %best1, %next ]
  %most = phi double [ -1.0, %entry ], [ %most1, %next ]
  %left = icmp slt i64 %n, %end
  br i1 %left, label %look, label %out
look:
  %arm = call ptr @arm_at(ptr %B, i64 %n)
  %taken = call i64 @get(ptr %arm, i64 $ARM_TAKEN)
  %is.new = icmp eq i64 %taken, 0
  br i1 %is.new, label %next, label %known
known:
  %times = sitofp i64 %taken to double
  %won = call double @real(ptr %arm, i64 $ARM_WON)
  %mean = fdiv double %won, %times
  %born = call i64 @get(ptr %arm, i64 $ARM_BORN)
  %there = sub i64 %since, %born
  %log = call double @real(ptr %logs, i64 %there)
  %rare = fdiv double %log, %times
  %root = call double @llvm.sqrt.f64(double %rare)
  %bonus = fmul double %curiosity, %root
  %promise = fadd double %mean, %bonus
  %is.better = fcmp ogt double %promise, %most
  %best.known = select i1 %is.better, i64 %n, i64 %best
  %most.known = select i1 %is.better, double %promise, double %most
  br label %next
next:
  %best1 = phi i64 [ %best, %look ], [ %best.known, %known ]
  %most1 = phi double [ %most, %look ], [ %most.known, %known ]
  %n1 = add i64 %n, 1
  br label %again
out:
  ret i64 %best
}
; Takes an arm for the first time, and makes the node behind it; 0 where that trapped, 1, or 2 if the game is over.
define internal i64 @taken_first(ptr %B, ptr %S, ptr %M, ptr %node, ptr %arm) nounwind {
entry:
  call void @enter(ptr %S, ptr %node)
  %answer = call ptr @place(ptr %arm, i64 $ARM_ANSWER)
  call void @give(ptr %M, ptr %answer)
  %mover = call i64 @get(ptr %node, i64 $NODE_SEAT)
  %done = call i64 @answer(ptr %S, ptr %M, i64 %mover)
  %status = call i64 @get(ptr %M, i64 $STATUS)
  %bad = icmp eq i64 %status, $TRAPPED
  br i1 %bad, label %trapped, label %fine
trapped:
  ret i64 0
fine:
  call void @put(ptr %M, i64 $STATUS, i64 $GOING)
  %which = call i64 @get(ptr %B, i64 $NODE_COUNT)
  call void @add_to(ptr %B, i64 $NODE_COUNT, i64 1)
  call void @put(ptr %arm, i64 $ARM_CHILD, i64 %which)
  %child = call ptr @node_at(ptr %B, i64 %which)
  %row = call ptr @place(ptr %child, i64 $NODE_ROW)
  call void @copy_row(ptr %row, ptr %S)
  call void @put(ptr %child, i64 $NODE_VISITS, i64 0)
  call void @put(ptr %child, i64 $NODE_KNOWN, i64 0)
  %seat = call i64 @asked(ptr %S)
  call void @put(ptr %child, i64 $NODE_SEAT, i64 %seat)
  %question = call i64 @get(ptr %S, i64 $QUESTION)
  %none = icmp eq i64 %question, 0
  %ended = icmp eq i64 %status, $ENDED
  %over = or i1 %none, %ended
  %many = select i1 %over, i64 0, i64 -1
  call void @put(ptr %child, i64 $NODE_MANY, i64 %many)
  %came = select i1 %over, i64 2, i64 1
  ret i64 %came
}
; Descends to the first new option, and takes it; 0 where that trapped, 1, or 2 if the game is over there.
define internal i64 @descended(ptr %B, ptr %S, ptr %M) nounwind {
entry:
  %path = call ptr @list_of(ptr %B, i64 $PATH)
  br label %look
look:
  %n = phi i64 [ 0, %entry ], [ %child, %choose ]
  %depth = phi i64 [ 0, %entry ], [ %deeper, %choose ]
  %node = call ptr @node_at(ptr %B, i64 %n)
  %many = call i64 @get(ptr %node, i64 $NODE_MANY)
  %over = icmp eq i64 %many, 0
  br i1 %over, label %end, label %asks
end:
  call void @enter(ptr %S, ptr %node)
  call void @put(ptr %B, i64 $DEPTH, i64 %depth)
  ret i64 2
asks:
  %unlisted = icmp slt i64 %many, 0
  br i1 %unlisted, label %list, label %choose
list:
  %is.listed = call i1 @list_arms(ptr %B, ptr %S, ptr %M, ptr %node)
  br i1 %is.listed, label %choose, label %trapped
trapped:
  ret i64 0
choose:
  %which = call i64 @chosen(ptr %B, ptr %M, ptr %node)
  %at = mul i64 %depth, 2
  call void @put(ptr %path, i64 %at, i64 %which)
  %beside = add i64 %at, 1
  %seat = call i64 @get(ptr %node, i64 $NODE_SEAT)
  call void @put(ptr %path, i64 %beside, i64 %seat)
  %deeper = add i64 %depth, 1
  %arm = call ptr @arm_at(ptr %B, i64 %which)
  %child = call i64 @get(ptr %arm, i64 $ARM_CHILD)
  %is.new = icmp eq i64 %child, 0
  br i1 %is.new, label %take, label %look
take:
  call void @put(ptr %B, i64 $DEPTH, i64 %deeper)
  %came = call i64 @taken_first(ptr %B, ptr %S, ptr %M, ptr %node, ptr %arm)
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
  %arm = call ptr @arm_at(ptr %B, i64 %which)
  call void @add_to(ptr %arm, i64 $ARM_TAKEN, i64 1)
  %won = call double @real(ptr %arm, i64 $ARM_WON)
  %more = fadd double %won, %worth
  call void @put_real(ptr %arm, i64 $ARM_WON, double %more)
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
  %done = phi i64 [ 0, %entry ], [ %next, %over ]
  %left = icmp slt i64 %done, %games
  br i1 %left, label %check, label %out
check:
  %fits = call i1 @has_room(ptr %B)
  br i1 %fits, label %begin, label %out
begin:
  ; Each game draws a seed for its dice, of two words, though nobody rolls any.
  call void @add_to(ptr %M, i64 $RNG, i64 $STEP)
  call void @add_to(ptr %M, i64 $RNG, i64 $STEP)
  %came = call i64 @descended(ptr %B, ptr %S, ptr %M)
  switch i64 %came, label %over [ i64 0, label %trapped i64 1, label %play ]
play:
  %plies = call i64 @play_out(ptr %S, ptr %M, i64 %longest)
  %bad = call i1 @is_trapped(ptr %M)
  br i1 %bad, label %trapped, label %played
played:
  call void @put(ptr %M, i64 $STATUS, i64 $GOING)
  br label %over
over:
  call void @back_up(ptr %B, ptr %S)
  %next = add i64 %done, 1
  br label %again
out:
  ret i64 %done
trapped:
  ret i64 -1
}
