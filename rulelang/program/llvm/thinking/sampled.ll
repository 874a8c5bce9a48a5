; A tree search where dice are rolled: each game has dice of its own and is played anew from the root, and at each node it meets
; the options that there are this time. What is said in `tree.ll` holds here, too. A node has an arm for each option that was
; taken, in the order in which they were taken first, and an arm leads to a node for each seat and choice that was asked next.

; The dice of a game are known by a number of 62 bits, as in `lab/mcts.py`.
define internal void @begin_game(ptr %B, ptr %S, ptr %M) nounwind {
  %rng = call i64 @get(ptr %M, i64 $RNG)
  %first = add i64 %rng, $STEP
  %second = add i64 %first, $STEP
  call void @put(ptr %M, i64 $RNG, i64 %second)
  %drawn = call i64 @mixed(i64 %first)
  %seed = lshr i64 %drawn, 2
  %key = call i64 @mixed(i64 %seed)
  call void @put(ptr %M, i64 $DICE_KEY, i64 %key)
  call void @put(ptr %M, i64 $FLAG, i64 $TOGETHER)
  %root = call ptr @node_at(ptr %B, i64 0)
  call void @enter(ptr %S, ptr %root)
  ret void
}
define internal i1 @is_same_answer(ptr %one, ptr %other) nounwind {
entry:
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %left = icmp slt i64 %i, $WIDTH
  br i1 %left, label %look, label %out
look:
  %a = call i64 @get(ptr %one, i64 %i)
  %b = call i64 @get(ptr %other, i64 %i)
  %same = icmp eq i64 %a, %b
  br i1 %same, label %next, label %out
next:
  %i1 = add i64 %i, 1
  br label %again
out:
  %found = phi i1 [ true, %again ], [ false, %look ]
  ret i1 %found
}
; Makes 0 the words of each option that are none of its own: options are compared word by word.
define internal void @clear_rest(ptr %B, ptr %S, ptr %M, i64 %listed) nounwind {
entry:
  %lengths = call ptr @list_of(ptr %B, i64 $LENGTHS)
  %branches = call i64 @get(ptr %B, i64 $BRANCHES)
  %question = call i64 @get(ptr %S, i64 $QUESTION)
  %row = mul i64 %question, %branches
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %one ]
  %left = icmp slt i64 %i, %listed
  br i1 %left, label %one, label %out
one:
  %option = call ptr @listed(ptr %M, i64 %i)
  %branch = load i64, ptr %option
  %at = add i64 %row, %branch
  %length = call i64 @get(ptr %lengths, i64 %at)
  %rest = call ptr @place(ptr %option, i64 %length)
  %words = sub i64 $WIDTH, %length
  %bytes = mul i64 %words, 8
  call void @llvm.memset.p0.i64(ptr %rest, i8 0, i64 %bytes, i1 false)
  %i1 = add i64 %i, 1
  br label %again
out:
  ret void
}
; The arm of a node with this answer; -1 if there is none.
define internal i64 @arm_of(ptr %B, ptr %node, ptr %answer) nounwind {
entry:
  %first = call i64 @get(ptr %node, i64 $NODE_FIRST)
  br label %again
again:
  %n = phi i64 [ %first, %entry ], [ %after, %next ]
  %none = icmp slt i64 %n, 0
  br i1 %none, label %out, label %look
look:
  %arm = call ptr @arm_at(ptr %B, i64 %n)
  %its = call ptr @place(ptr %arm, i64 $ARM_ANSWER)
  %same = call i1 @is_same_answer(ptr %its, ptr %answer)
  br i1 %same, label %out, label %next
next:
  %after = call i64 @get(ptr %arm, i64 $ARM_NEXT)
  br label %again
out:
  ret i64 %n
}
; Finds the arm of each option; returns how many there are.
define internal i64 @find_arms(ptr %B, ptr %M, ptr %node, i64 %listed) nounwind {
entry:
  %found = call ptr @list_of(ptr %B, i64 $FOUND)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %one ]
  %known = phi i64 [ 0, %entry ], [ %known1, %one ]
  %left = icmp slt i64 %i, %listed
  br i1 %left, label %one, label %out
one:
  %option = call ptr @listed(ptr %M, i64 %i)
  %arm = call i64 @arm_of(ptr %B, ptr %node, ptr %option)
  call void @put(ptr %found, i64 %i, i64 %arm)
  %is = icmp sge i64 %arm, 0
  %more = zext i1 %is to i64
  %known1 = add i64 %known, %more
  %i1 = add i64 %i, 1
  br label %again
out:
  ret i64 %known
}
; `InformationSet.chosen`: the number of an arm.
define internal i64 @chosen(ptr %B, ptr %M, ptr %node, i64 %listed) nounwind {
  call void @add_to(ptr %node, i64 $NODE_VISITS, i64 1)
  %known = call i64 @find_arms(ptr %B, ptr %M, ptr %node, i64 %listed)
  %is.new = call i1 @considers_more(ptr %B, ptr %node, i64 %known, i64 %listed)
  br i1 %is.new, label %new, label %old
new:
  %arm = call i64 @new_arm(ptr %B, ptr %M, ptr %node, i64 %known, i64 %listed)
  ret i64 %arm
old:
  %best = call i64 @most_promising(ptr %B, i64 %listed)
  ret i64 %best
}
; An arm for one of the options that have none, at random.
define internal i64 @new_arm(ptr %B, ptr %M, ptr %node, i64 %known, i64 %listed) nounwind {
entry:
  %found = call ptr @list_of(ptr %B, i64 $FOUND)
  %new = sub i64 %listed, %known
  %drawn = call i64 @below(ptr %M, i64 %new)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %skip = phi i64 [ %drawn, %entry ], [ %skip.next, %next ]
  %which = phi i64 [ 0, %entry ], [ %which.next, %next ]
  %left = icmp slt i64 %i, %listed
  br i1 %left, label %look, label %add
look:
  %n = call i64 @get(ptr %found, i64 %i)
  %is.known = icmp sge i64 %n, 0
  br i1 %is.known, label %there, label %free
there:
  %arm = call ptr @arm_at(ptr %B, i64 %n)
  call void @add_to(ptr %arm, i64 $ARM_THERE, i64 1)
  br label %next
free:
  %is.it = icmp eq i64 %skip, 0
  %which.free = select i1 %is.it, i64 %i, i64 %which
  %skip.free = sub i64 %skip, 1
  br label %next
next:
  %skip.next = phi i64 [ %skip, %there ], [ %skip.free, %free ]
  %which.next = phi i64 [ %which, %there ], [ %which.free, %free ]
  %i1 = add i64 %i, 1
  br label %again
add:
  %option = call ptr @listed(ptr %M, i64 %which)
  %number = call i64 @added_arm(ptr %B, ptr %node, ptr %option)
  ret i64 %number
}
; A new arm behind the others of a node.
define internal i64 @added_arm(ptr %B, ptr %node, ptr %option) nounwind {
entry:
  %number = call i64 @get(ptr %B, i64 $ARM_COUNT)
  call void @add_to(ptr %B, i64 $ARM_COUNT, i64 1)
  call void @add_to(ptr %node, i64 $NODE_MANY, i64 1)
  %arm = call ptr @arm_at(ptr %B, i64 %number)
  call void @put(ptr %arm, i64 $ARM_TAKEN, i64 0)
  call void @put_real(ptr %arm, i64 $ARM_WON, double 0.0)
  call void @put(ptr %arm, i64 $ARM_THERE, i64 1)
  call void @put(ptr %arm, i64 $ARM_CHILD, i64 0)
  call void @put(ptr %arm, i64 $ARM_NEXT, i64 -1)
  %answer = call ptr @place(ptr %arm, i64 $ARM_ANSWER)
  call void @copy_answer(ptr %answer, ptr %option)
  %first = call ptr @place(ptr %node, i64 $NODE_FIRST)
  br label %again
again:
  %link = phi ptr [ %first, %entry ], [ %next, %on ]
  %after = load i64, ptr %link
  %is.end = icmp slt i64 %after, 0
  br i1 %is.end, label %out, label %on
on:
  %other = call ptr @arm_at(ptr %B, i64 %after)
  %next = call ptr @place(ptr %other, i64 $ARM_NEXT)
  br label %again
out:
  store i64 %number, ptr %link
  ret i64 %number
}
; `most_promising` among the arms that were found.
define internal i64 @most_promising(ptr %B, i64 %listed) nounwind {
entry:
  %found = call ptr @list_of(ptr %B, i64 $FOUND)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %best = phi i64 [ 0, %entry ], [ %best1, %next ]
  %most = phi double [ -1.0, %entry ], [ %most1, %next ]
  %left = icmp slt i64 %i, %listed
  br i1 %left, label %look, label %out
look:
  %n = call i64 @get(ptr %found, i64 %i)
  %is.known = icmp sge i64 %n, 0
  br i1 %is.known, label %known, label %next
known:
  %arm = call ptr @arm_at(ptr %B, i64 %n)
  call void @add_to(ptr %arm, i64 $ARM_THERE, i64 1)
  %there = call i64 @get(ptr %arm, i64 $ARM_THERE)
  %promise = call double @promise(ptr %B, ptr %arm, i64 %there)
  %is.better = fcmp ogt double %promise, %most
  %best.known = select i1 %is.better, i64 %n, i64 %best
  %most.known = select i1 %is.better, double %promise, double %most
  br label %next
next:
  %best1 = phi i64 [ %best, %look ], [ %best.known, %known ]
  %most1 = phi double [ %most, %look ], [ %most.known, %known ]
  %i1 = add i64 %i, 1
  br label %again
out:
  ret i64 %best
}
; The node behind an arm at which the seat that is asked now chooses, a new one if there is none yet.
define internal i64 @child_of(ptr %B, ptr %S, ptr %arm) nounwind {
entry:
  %seat = call i64 @asked(ptr %S)
  %question = call i64 @get(ptr %S, i64 $QUESTION)
  %choices = call ptr @list_of(ptr %B, i64 $CHOICES)
  %choice = call i64 @get(ptr %choices, i64 %question)
  %first = call i64 @get(ptr %arm, i64 $ARM_CHILD)
  br label %again
again:
  %n = phi i64 [ %first, %entry ], [ %after, %other ]
  %none = icmp eq i64 %n, 0
  br i1 %none, label %new, label %look
look:
  %node = call ptr @node_at(ptr %B, i64 %n)
  %its.seat = call i64 @get(ptr %node, i64 $NODE_SEAT)
  %its.choice = call i64 @get(ptr %node, i64 $NODE_CHOICE)
  %same.seat = icmp eq i64 %seat, %its.seat
  %same.choice = icmp eq i64 %choice, %its.choice
  %same = and i1 %same.seat, %same.choice
  br i1 %same, label %found, label %other
other:
  %after = call i64 @get(ptr %node, i64 $NODE_NEXT)
  br label %again
found:
  ret i64 %n
new:
  %number = call i64 @get(ptr %B, i64 $NODE_COUNT)
  call void @add_to(ptr %B, i64 $NODE_COUNT, i64 1)
  call void @put(ptr %arm, i64 $ARM_CHILD, i64 %number)
  %made = call ptr @node_at(ptr %B, i64 %number)
  call void @put(ptr %made, i64 $NODE_VISITS, i64 0)
  call void @put(ptr %made, i64 $NODE_FIRST, i64 -1)
  call void @put(ptr %made, i64 $NODE_MANY, i64 0)
  call void @put(ptr %made, i64 $NODE_SEAT, i64 %seat)
  call void @put(ptr %made, i64 $NODE_CHOICE, i64 %choice)
  call void @put(ptr %made, i64 $NODE_NEXT, i64 %first)
  ret i64 %number
}
; Descends to the first new option, and takes it; 0 where that trapped, 1, or 2 if the game is over there.
define internal i64 @descended(ptr %B, ptr %S, ptr %M) nounwind {
entry:
  br label %look
look:
  %n = phi i64 [ 0, %entry ], [ %child, %down ]
  %depth = phi i64 [ 0, %entry ], [ %deeper, %down ]
  %node = call ptr @node_at(ptr %B, i64 %n)
  %seat = call i64 @get(ptr %node, i64 $NODE_SEAT)
  %listed = call i64 @offered(ptr %S, ptr %M, i64 %seat)
  %none = icmp eq i64 %listed, 0
  br i1 %none, label %trapped, label %choose
trapped:
  ret i64 0
choose:
  call void @clear_rest(ptr %B, ptr %S, ptr %M, i64 %listed)
  %which = call i64 @chosen(ptr %B, ptr %M, ptr %node, i64 %listed)
  call void @follow(ptr %B, i64 %depth, i64 %which, i64 %seat)
  %deeper = add i64 %depth, 1
  %arm = call ptr @arm_at(ptr %B, i64 %which)
  %answer = call ptr @place(ptr %arm, i64 $ARM_ANSWER)
  call void @give(ptr %M, ptr %answer)
  %done = call i64 @answer(ptr %S, ptr %M, i64 %seat)
  %came = call i64 @came_to(ptr %S, ptr %M)
  switch i64 %came, label %out [ i64 1, label %on ]
on:
  %taken = call i64 @get(ptr %arm, i64 $ARM_TAKEN)
  %is.new = icmp eq i64 %taken, 0
  br i1 %is.new, label %out, label %down
down:
  %child = call i64 @child_of(ptr %B, ptr %S, ptr %arm)
  br label %look
out:
  ret i64 %came
}
