; The score policy in machine code: what `lab/policy.py` works out, draw for draw and position for position.
;
;     worth_of_each(S, M, T, seat, first, many)   what each of many answers is worth to a seat once its step is over;
;                                                 returns of how many it found that, which are fewer if one traps
;     play_ahead(S, M, T, seat, most, replies)    carries out the given answer, plays on by the policy, and returns how much
;                                                 better off the seat is than the others; S is where that ended
;
; S is a row, M the frame beside it, T the words of a thought: how many positions were looked at, how many options are compared,
; the players, the keys of the dice; behind them what answers are worth, the answers, the rows of forks and lists of options.
; Whatever traps ends all of it: the policy then thinks in Python. Words with a dollar sign are the game's, see `thought.py`; functions that
; are not defined here are those of `common.ll`.

define internal void @count_position(ptr %T) nounwind alwaysinline {
  %n = load i64, ptr %T
  %more = add i64 %n, 1
  store i64 %more, ptr %T
  ret void
}
; The seats that the question asks that waits, a mask; 0 where none waits.
define internal i64 @owed(ptr %S) nounwind {
entry:
  %number = call i64 @get(ptr %S, i64 $QUESTION)
  switch i64 %number, label %one [ i64 0, label %none $SEALED_CASES ]
none:
  ret i64 0
one:
  %seat = call i64 @get(ptr %S, i64 $SEAT)
  %bit = shl i64 1, %seat
  ret i64 %bit
$SEALED_BLOCKS
}
define internal i1 @is_sealed(ptr %S) nounwind {
  %number = call i64 @get(ptr %S, i64 $QUESTION)
  switch i64 %number, label %no [ $SEALED_YES ]
no:
  ret i1 false
yes:
  ret i1 true
}
; The choice of a question by its number, counted from 1.
define internal i64 @choice_of(i64 %number) nounwind {
  %at = getelementptr inbounds i64, ptr @choices, i64 %number
  %c = load i64, ptr %at
  ret i64 %c
}
; `few_of` on the listed options: picks at most so many, and returns how many.
define internal i64 @few(ptr %M, ptr %T, i64 %most) nounwind {
entry:
  %listed = call i64 @get(ptr %M, i64 $COUNT)
  %pool = call ptr @place(ptr %T, i64 $POOL)
  %picked = call ptr @place(ptr %T, i64 $PICKED)
  %starts = call ptr @place(ptr %T, i64 $STARTS)
  %sizes = call ptr @place(ptr %T, i64 $SIZES)
  %all = icmp sle i64 %listed, %most
  br i1 %all, label %each, label %group
each:
  %e = phi i64 [ 0, %entry ], [ %e1, %each.take ]
  %each.more = icmp slt i64 %e, %listed
  br i1 %each.more, label %each.take, label %mix
each.take:
  call void @put(ptr %picked, i64 %e, i64 %e)
  %e1 = add i64 %e, 1
  br label %each
group:
  %i = phi i64 [ 0, %entry ], [ %i1, %group.add ]
  %groups = phi i64 [ 0, %entry ], [ %groups1, %group.add ]
  %last = phi i64 [ -1, %entry ], [ %branch, %group.add ]
  %group.more = icmp slt i64 %i, %listed
  br i1 %group.more, label %group.look, label %draw
group.look:
  call void @put(ptr %pool, i64 %i, i64 %i)
  %option = call ptr @listed(ptr %M, i64 %i)
  %branch = load i64, ptr %option
  %same = icmp eq i64 %branch, %last
  br i1 %same, label %group.add, label %group.new
group.new:
  call void @put(ptr %starts, i64 %groups, i64 %i)
  call void @put(ptr %sizes, i64 %groups, i64 0)
  %more = add i64 %groups, 1
  br label %group.add
group.add:
  %groups1 = phi i64 [ %groups, %group.look ], [ %more, %group.new ]
  %g = sub i64 %groups1, 1
  %size0 = call i64 @get(ptr %sizes, i64 %g)
  %size1 = add i64 %size0, 1
  call void @put(ptr %sizes, i64 %g, i64 %size1)
  %i1 = add i64 %i, 1
  br label %group
draw:
  %k = phi i64 [ 0, %group ], [ %k2, %draw.next ]
  %j = phi i64 [ 0, %group ], [ %j2, %draw.next ]
  %full = icmp sge i64 %k, %most
  br i1 %full, label %mix, label %draw.look
draw.look:
  %size = call i64 @get(ptr %sizes, i64 %j)
  %none = icmp eq i64 %size, 0
  br i1 %none, label %draw.next, label %draw.one
draw.one:
  %from = call i64 @get(ptr %starts, i64 %j)
  %drawn = call i64 @below(ptr %M, i64 %size)
  %at = add i64 %from, %drawn
  %less = sub i64 %size, 1
  %end = add i64 %from, %less
  %thing = call i64 @get(ptr %pool, i64 %at)
  %other = call i64 @get(ptr %pool, i64 %end)
  call void @put(ptr %pool, i64 %at, i64 %other)
  call void @put(ptr %sizes, i64 %j, i64 %less)
  call void @put(ptr %picked, i64 %k, i64 %thing)
  %k1 = add i64 %k, 1
  br label %draw.next
draw.next:
  %k2 = phi i64 [ %k, %draw.look ], [ %k1, %draw.one ]
  %j1 = add i64 %j, 1
  %wraps = icmp sge i64 %j1, %groups
  %j2 = select i1 %wraps, i64 0, i64 %j1
  br label %draw
mix:
  %many = phi i64 [ %listed, %each ], [ %k, %draw ]
  %top = sub i64 %many, 1
  br label %mix.again
mix.again:
  %m = phi i64 [ %top, %mix ], [ %m1, %mix.swap ]
  %left = icmp sgt i64 %m, 0
  br i1 %left, label %mix.swap, label %out
mix.swap:
  %stop = add i64 %m, 1
  %n = call i64 @below(ptr %M, i64 %stop)
  %a = call i64 @get(ptr %picked, i64 %m)
  %b = call i64 @get(ptr %picked, i64 %n)
  call void @put(ptr %picked, i64 %m, i64 %b)
  call void @put(ptr %picked, i64 %n, i64 %a)
  %m1 = sub i64 %m, 1
  br label %mix.again
out:
  ret i64 %many
}
; Copies the picked options to a list of their own.
define internal void @take(ptr %M, ptr %T, ptr %list, i64 %many) nounwind {
entry:
  %picked = call ptr @place(ptr %T, i64 $PICKED)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %one ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %one, label %out
one:
  %which = call i64 @get(ptr %picked, i64 %i)
  %from = call ptr @listed(ptr %M, i64 %which)
  %to = call ptr @in_list(ptr %list, i64 %i)
  call void @copy_answer(ptr %to, ptr %from)
  %i1 = add i64 %i, 1
  br label %again
out:
  ret void
}
define internal ptr @in_list(ptr %list, i64 %i) nounwind alwaysinline {
  %n = mul i64 %i, $WIDTH
  %at = getelementptr inbounds i64, ptr %list, i64 %n
  ret ptr %at
}
; What the rules say a seat's `score` is; the status says whether that went well.
define i64 @seat_score(ptr %S, ptr %M, i64 %seat) nounwind {
  call void @put(ptr %M, i64 $LEFT, i64 $BUDGET)
  %before = call i64 @get(ptr %M, i64 $LAST_MOMENT)
  %moment = add i64 %before, 1
  call void @put(ptr %M, i64 $LAST_MOMENT, i64 %moment)
  call void @put(ptr %M, i64 $MOMENT, i64 %moment)
  %points = call i64 @score(ptr %S, ptr %M, i64 %seat)
  call void @put(ptr %M, i64 $MOMENT, i64 0)
  ret i64 %points
}
; `ScorePolicy.worth`.
define internal double @worth(ptr %S, ptr %M, i64 %seat) nounwind {
entry:
  %points = call i64 @seat_score(ptr %S, ptr %M, i64 %seat)
  %bad = call i1 @is_trapped(ptr %M)
  br i1 %bad, label %none, label %scored
none:
  ret double 0.0
scored:
  %score = sitofp i64 %points to double
  %how = call i64 @get(ptr %S, i64 $OUTCOME)
  %value = call i64 @get(ptr %S, i64 $OUTCOME_VALUE)
  switch i64 %how, label %lost [ i64 $PLAYING, label %plain i64 $UNDECIDED, label %plain i64 $SCORE, label %ended i64 $WINNER, label %winner i64 $RANKING, label %ranking ]
plain:
  ret double %score
ended:
  %hundred = mul i64 %value, $A_POINT
  %sum = add i64 %hundred, $ENDED_WORTH
  %high = sitofp i64 %sum to double
  ret double %high
ranking:
  %first = and i64 %value, $GROUP
  br label %winner
winner:
  %mask = phi i64 [ %value, %scored ], [ %first, %ranking ]
  %shifted = lshr i64 %mask, %seat
  %bit = and i64 %shifted, 1
  %won = icmp ne i64 %bit, 0
  br i1 %won, label %shared, label %lost
shared:
  %many = call i64 @llvm.ctpop.i64(i64 %mask)
  %among = sitofp i64 %many to double
  %part = fdiv double $ENDED_REAL, %among
  %good = fadd double %score, %part
  ret double %good
lost:
  %bad.worth = fsub double %score, $ENDED_REAL
  ret double %bad.worth
}
; `ScorePolicy._answer_for_others`: S is the position before the answer, R after it. Whether it went well.
define internal i1 @answer_for_others(ptr %S, ptr %R, ptr %M) nounwind {
entry:
  %sealed = call i1 @is_sealed(ptr %S)
  br i1 %sealed, label %begin, label %good
good:
  ret i1 true
bad:
  ret i1 false
begin:
  %number = call i64 @get(ptr %S, i64 $QUESTION)
  %choice = call i64 @choice_of(i64 %number)
  %asked = call i64 @owed(ptr %S)
  br label %again
again:
  %left = phi i64 [ %asked, %begin ], [ %rest, %next ]
  %none = icmp eq i64 %left, 0
  br i1 %none, label %good, label %look
look:
  %other = call i64 @llvm.cttz.i64(i64 %left, i1 true)
  %less = sub i64 %left, 1
  %rest = and i64 %left, %less
  %now = call i64 @get(ptr %R, i64 $QUESTION)
  %same.choice = call i64 @choice_of(i64 %now)
  %is.same = icmp eq i64 %choice, %same.choice
  br i1 %is.same, label %may, label %next
may:
  %owing = call i64 @owed(ptr %R)
  %at = lshr i64 %owing, %other
  %bit = and i64 %at, 1
  %owes = icmp ne i64 %bit, 0
  br i1 %owes, label %choose, label %next
choose:
  %many = call i64 @offered(ptr %R, ptr %M, i64 %other)
  %empty = icmp eq i64 %many, 0
  br i1 %empty, label %bad, label %pick
pick:
  %which = call i64 @below(ptr %M, i64 %many)
  %option = call ptr @listed(ptr %M, i64 %which)
  call void @give(ptr %M, ptr %option)
  %went = call i1 @answered(ptr %R, ptr %M, i64 %other)
  br i1 %went, label %next, label %bad
next:
  br label %again
}
; `ScorePolicy.finish_step`; whether it went well.
define internal i1 @finish_step(ptr %S, ptr %M, ptr %T, i64 %seat) nounwind {
entry:
  %own = shl i64 1, %seat
  %list = call ptr @place(ptr %T, i64 $INSIDE)
  %fork = call ptr @place(ptr %T, i64 $FORK_INSIDE)
  br label %again
good:
  ret i1 true
bad:
  ret i1 false
again:
  %round = phi i64 [ 0, %entry ], [ %round1, %played ]
  %round1 = add i64 %round, 1
  %enough = icmp sge i64 %round, $MOST_INSIDE
  br i1 %enough, label %good, label %asked
asked:
  %owing = call i64 @owed(ptr %S)
  %alone = icmp eq i64 %owing, %own
  %depth = call i64 @get(ptr %S, i64 $DEPTH)
  %inside = icmp ne i64 %depth, 0
  %goes = and i1 %alone, %inside
  br i1 %goes, label %list.them, label %good
list.them:
  %many = call i64 @offered(ptr %S, ptr %M, i64 %seat)
  %first = call ptr @listed(ptr %M, i64 0)
  %lone = call ptr @in_list(ptr %list, i64 $FEW_INSIDE)
  switch i64 %many, label %some [ i64 0, label %bad i64 1, label %only ]
only:
  call void @copy_answer(ptr %lone, ptr %first)
  br label %play
some:
  call void @copy_answer(ptr %lone, ptr %first)
  %few = call i64 @few(ptr %M, ptr %T, i64 $FEW_INSIDE)
  call void @take(ptr %M, ptr %T, ptr %list, i64 %few)
  br label %compare
compare:
  %i = phi i64 [ 0, %some ], [ %i1, %better ]
  %best = phi ptr [ %lone, %some ], [ %best1, %better ]
  %most = phi double [ $LEAST, %some ], [ %most1, %better ]
  %left = icmp slt i64 %i, %few
  br i1 %left, label %try, label %play
try:
  %option = call ptr @in_list(ptr %list, i64 %i)
  call void @copy_row(ptr %fork, ptr %S)
  call void @give(ptr %M, ptr %option)
  %went = call i1 @answered(ptr %fork, ptr %M, i64 %seat)
  br i1 %went, label %weigh, label %bad
weigh:
  call void @count_position(ptr %T)
  %worth = call double @worth(ptr %fork, ptr %M, i64 %seat)
  %trapped = call i1 @is_trapped(ptr %M)
  br i1 %trapped, label %bad, label %better
better:
  %is.better = fcmp ogt double %worth, %most
  %best1 = select i1 %is.better, ptr %option, ptr %best
  %most1 = select i1 %is.better, double %worth, double %most
  %i1 = add i64 %i, 1
  br label %compare
play:
  %chosen = phi ptr [ %lone, %only ], [ %best, %compare ]
  call void @give(ptr %M, ptr %chosen)
  %on = call i1 @answered(ptr %S, ptr %M, i64 %seat)
  br i1 %on, label %played, label %bad
played:
  br label %again
}
; `ScorePolicy.after`.
define internal double @after(ptr %S, ptr %M, ptr %T, i64 %seat, ptr %answer, i64 %first) nounwind {
entry:
  %fork = call ptr @place(ptr %T, i64 $FORK_AFTER)
  %flag = call i64 @get(ptr %M, i64 $FLAG)
  %held.key = call i64 @get(ptr %M, i64 $DICE_KEY)
  br label %again
bad:
  ret double 0.0
again:
  %n = phi i64 [ 0, %entry ], [ %n1, %more ]
  %sum = phi double [ 0.0, %entry ], [ %sum1, %more ]
  %turn = add i64 %first, %n
  %dice = urem i64 %turn, $DICE
  %at = add i64 %dice, $DICE_KEYS
  %key = call i64 @get(ptr %T, i64 %at)
  call void @put(ptr %M, i64 $DICE_KEY, i64 %key)
  call void @put(ptr %M, i64 $FLAG, i64 $TOGETHER)
  call void @copy_row(ptr %fork, ptr %S)
  call void @count_position(ptr %T)
  call void @give(ptr %M, ptr %answer)
  %went = call i1 @answered(ptr %fork, ptr %M, i64 %seat)
  br i1 %went, label %others, label %bad
others:
  %all = call i1 @answer_for_others(ptr %S, ptr %fork, ptr %M)
  br i1 %all, label %finish, label %bad
finish:
  %done = call i1 @finish_step(ptr %fork, ptr %M, ptr %T, i64 %seat)
  br i1 %done, label %weigh, label %bad
weigh:
  %worth = call double @worth(ptr %fork, ptr %M, i64 %seat)
  %trapped = call i1 @is_trapped(ptr %M)
  br i1 %trapped, label %bad, label %sum.up
sum.up:
  %sum1 = fadd double %sum, %worth
  %n1 = add i64 %n, 1
  br label %drawn
drawn:
  %i = phi i64 [ 0, %sum.up ], [ %i1, %drawn.next ]
  %left = icmp slt i64 %i, $STREAMS
  br i1 %left, label %drawn.look, label %out
drawn.look:
  %slot = add i64 %i, $COUNTERS
  %before = call i64 @get(ptr %S, i64 %slot)
  %now = call i64 @get(ptr %fork, i64 %slot)
  %same = icmp eq i64 %before, %now
  br i1 %same, label %drawn.next, label %more
drawn.next:
  %i1 = add i64 %i, 1
  br label %drawn
more:
  %enough = icmp sge i64 %n1, $THROWS
  br i1 %enough, label %out, label %again
out:
  call void @put(ptr %M, i64 $FLAG, i64 %flag)
  call void @put(ptr %M, i64 $DICE_KEY, i64 %held.key)
  %tries = sitofp i64 %n1 to double
  %mean = fdiv double %sum1, %tries
  ret double %mean
}
; `ScorePolicy.choose`: makes its choice the given answer; whether it went well.
define internal i1 @choose(ptr %S, ptr %M, ptr %T, i64 %seat) nounwind {
entry:
  %many = call i64 @offered(ptr %S, ptr %M, i64 %seat)
  %only = call ptr @listed(ptr %M, i64 0)
  switch i64 %many, label %some [ i64 0, label %bad i64 1, label %lone ]
bad:
  ret i1 false
lone:
  call void @give(ptr %M, ptr %only)
  ret i1 true
some:
  %list = call ptr @place(ptr %T, i64 $OUTSIDE)
  %most = call i64 @get(ptr %T, i64 $FEW)
  %few = call i64 @few(ptr %M, ptr %T, i64 %most)
  %first = call i64 @below(ptr %M, i64 $DICE)
  call void @take(ptr %M, ptr %T, ptr %list, i64 %few)
  br label %again
again:
  %i = phi i64 [ 0, %some ], [ %i1, %next ]
  %best = phi ptr [ %list, %some ], [ %best1, %next ]
  %top = phi double [ 0xFFF0000000000000, %some ], [ %top1, %next ]
  %left = icmp slt i64 %i, %few
  br i1 %left, label %try, label %out
try:
  %option = call ptr @in_list(ptr %list, i64 %i)
  %worth = call double @after(ptr %S, ptr %M, ptr %T, i64 %seat, ptr %option, i64 %first)
  %trapped = call i1 @is_trapped(ptr %M)
  br i1 %trapped, label %bad, label %next
next:
  %better = fcmp ogt double %worth, %top
  %best1 = select i1 %better, ptr %option, ptr %best
  %top1 = select i1 %better, double %worth, double %top
  %i1 = add i64 %i, 1
  br label %again
out:
  call void @give(ptr %M, ptr %best)
  ret i1 true
}
; What the best of the others has; 0 where there are none.
define internal double @best_of_others(ptr %S, ptr %M, ptr %T, i64 %seat) nounwind {
entry:
  %players = call i64 @get(ptr %T, i64 $PLAYERS)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %best = phi double [ 0xFFF0000000000000, %entry ], [ %best1, %next ]
  %left = icmp slt i64 %i, %players
  br i1 %left, label %look, label %out
look:
  %own = icmp eq i64 %i, %seat
  br i1 %own, label %next, label %weigh
weigh:
  %worth = call double @worth(ptr %S, ptr %M, i64 %i)
  %better = fcmp ogt double %worth, %best
  %larger = select i1 %better, double %worth, double %best
  br label %next
next:
  %best1 = phi double [ %best, %look ], [ %larger, %weigh ]
  %i1 = add i64 %i, 1
  br label %again
out:
  %alone = icmp sle i64 %players, 1
  %found = select i1 %alone, double 0.0, double %best
  ret double %found
}
; `ScorePolicy.play`.
define internal double @play(ptr %S, ptr %M, ptr %T, i64 %seat, i64 %most, i64 %replies) nounwind {
entry:
  %players = call i64 @get(ptr %T, i64 $PLAYERS)
  %lone = icmp eq i64 %players, 1
  br label %again
bad:
  ret double 0.0
again:
  %own.left = phi i64 [ %most, %entry ], [ %own.left2, %played ]
  %other.left = phi i64 [ %replies, %entry ], [ %other.left2, %played ]
  %free = phi i64 [ $MOST_OWN, %entry ], [ %free2, %played ]
  %turned = phi i1 [ %lone, %entry ], [ %turned2, %played ]
  %is.known = phi i1 [ false, %entry ], [ %is.known2, %played ]
  %theirs = phi double [ 0.0, %entry ], [ %theirs2, %played ]
  %owing = call i64 @owed(ptr %S)
  %over = icmp eq i64 %owing, 0
  br i1 %over, label %out, label %asked
asked:
  %mover = call i64 @llvm.cttz.i64(i64 %owing, i1 true)
  %own = icmp eq i64 %mover, %seat
  %depth = call i64 @get(ptr %S, i64 $DEPTH)
  %outer = icmp eq i64 %depth, 0
  br i1 %outer, label %step, label %move
step:
  %sealed = call i1 @is_sealed(ptr %S)
  %known.or.own = or i1 %is.known, %own
  %later = or i1 %known.or.own, %sealed
  br i1 %later, label %count, label %weigh
weigh:
  %now = call double @best_of_others(ptr %S, ptr %M, ptr %T, i64 %seat)
  %trapped = call i1 @is_trapped(ptr %M)
  br i1 %trapped, label %bad, label %count
count:
  %is.known1 = phi i1 [ %is.known, %step ], [ true, %weigh ]
  %theirs1 = phi double [ %theirs, %step ], [ %now, %weigh ]
  %others = xor i1 %own, true
  %turned1 = or i1 %turned, %others
  %begun = icmp sgt i64 %free, 0
  %goes.on = select i1 %turned1, i1 false, i1 %begun
  br i1 %goes.on, label %rest, label %bounded
rest:
  %free1 = sub i64 %free, 1
  br label %move
bounded:
  %left = select i1 %own, i64 %own.left, i64 %other.left
  %spent = icmp eq i64 %left, 0
  br i1 %spent, label %out, label %spend
spend:
  %less = sub i64 %left, 1
  %own.left1 = select i1 %own, i64 %less, i64 %own.left
  %other.left1 = select i1 %own, i64 %other.left, i64 %less
  br label %move
move:
  %own.left2 = phi i64 [ %own.left, %asked ], [ %own.left, %rest ], [ %own.left1, %spend ]
  %other.left2 = phi i64 [ %other.left, %asked ], [ %other.left, %rest ], [ %other.left1, %spend ]
  %free2 = phi i64 [ %free, %asked ], [ %free1, %rest ], [ %free, %spend ]
  %turned2 = phi i1 [ %turned, %asked ], [ %turned1, %rest ], [ %turned1, %spend ]
  %is.known2 = phi i1 [ %is.known, %asked ], [ %is.known1, %rest ], [ %is.known1, %spend ]
  %theirs2 = phi double [ %theirs, %asked ], [ %theirs1, %rest ], [ %theirs1, %spend ]
  call void @count_position(ptr %T)
  %looked = load i64, ptr %T
  %endless = icmp sgt i64 %looked, $MOST_LOOKED
  br i1 %endless, label %give.up, label %choice
give.up:
  call void @trap(ptr %M)
  ret double 0.0
choice:
  %chosen = call i1 @choose(ptr %S, ptr %M, ptr %T, i64 %mover)
  br i1 %chosen, label %act, label %bad
act:
  %went = call i1 @answered(ptr %S, ptr %M, i64 %mover)
  br i1 %went, label %played, label %bad
played:
  br label %again
out:
  %known = phi i1 [ %is.known, %again ], [ %is.known1, %bounded ]
  %held = phi double [ %theirs, %again ], [ %theirs1, %bounded ]
  br i1 %known, label %held.out, label %last
held.out:
  ret double %held
last:
  %final = call double @best_of_others(ptr %S, ptr %M, ptr %T, i64 %seat)
  ret double %final
}
; `ScorePolicy.after_each`; what traps leaves the positions looked at and the rng as they were before its answer.
define i64 @worth_of_each(ptr %S, ptr %M, ptr %T, i64 %seat, i64 %first, i64 %many) nounwind {
entry:
  %answers = call ptr @place(ptr %T, i64 $OUTSIDE)
  %found = call ptr @place(ptr %T, i64 $WORTHS)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %done ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %try, label %out
try:
  %looked = load i64, ptr %T
  %rng = call i64 @get(ptr %M, i64 $RNG)
  %answer = call ptr @in_list(ptr %answers, i64 %i)
  %worth = call double @after(ptr %S, ptr %M, ptr %T, i64 %seat, ptr %answer, i64 %first)
  %trapped = call i1 @is_trapped(ptr %M)
  br i1 %trapped, label %back, label %done
back:
  store i64 %looked, ptr %T
  call void @put(ptr %M, i64 $RNG, i64 %rng)
  br label %out
done:
  %at = getelementptr inbounds double, ptr %found, i64 %i
  store double %worth, ptr %at
  %i1 = add i64 %i, 1
  br label %again
out:
  ret i64 %i
}
define double @play_ahead(ptr %S, ptr %M, ptr %T, i64 %seat, i64 %most, i64 %replies) nounwind {
  %went = call i1 @answered(ptr %S, ptr %M, i64 %seat)
  br i1 %went, label %on, label %bad
bad:
  ret double 0.0
on:
  %theirs = call double @play(ptr %S, ptr %M, ptr %T, i64 %seat, i64 %most, i64 %replies)
  %trapped = call i1 @is_trapped(ptr %M)
  br i1 %trapped, label %bad, label %weigh
weigh:
  %own = call double @worth(ptr %S, ptr %M, i64 %seat)
  %lead = fsub double %own, %theirs
  ret double %lead
}
