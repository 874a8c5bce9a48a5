; A tree search where nothing is rolled: a node keeps its row, so a game costs one answer and a random game. It has an arm for each
; option once it is visited again. What is said in `tree.ll` holds here, too.

; Each game draws a seed for its dice, of two words, though nobody rolls any.
define internal void @begin_game(ptr %B, ptr %S, ptr %M) nounwind {
  call void @add_to(ptr %M, i64 $RNG, i64 $STEP)
  call void @add_to(ptr %M, i64 $RNG, i64 $STEP)
  ret void
}
; Gives a node an arm for each of its options; whether that went well.
define internal i1 @list_arms(ptr %B, ptr %S, ptr %M, ptr %node) nounwind {
entry:
  %row = call ptr @place(ptr %node, i64 $NODE_ROW)
  call void @enter(ptr %S, ptr %row)
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
  %many = call i64 @get(ptr %node, i64 $NODE_MANY)
  %known = call i64 @get(ptr %node, i64 $NODE_KNOWN)
  %is.new = call i1 @considers_more(ptr %B, ptr %node, i64 %known, i64 %many)
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
  %born = call i64 @get(ptr %arm, i64 $ARM_BORN)
  %there = sub i64 %since, %born
  %promise = call double @promise(ptr %B, ptr %arm, i64 %there)
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
  %row = call ptr @place(ptr %node, i64 $NODE_ROW)
  call void @enter(ptr %S, ptr %row)
  %answer = call ptr @place(ptr %arm, i64 $ARM_ANSWER)
  call void @give(ptr %M, ptr %answer)
  %mover = call i64 @get(ptr %node, i64 $NODE_SEAT)
  %done = call i64 @answer(ptr %S, ptr %M, i64 %mover)
  %came = call i64 @came_to(ptr %S, ptr %M)
  switch i64 %came, label %make [ i64 0, label %out ]
make:
  %which = call i64 @get(ptr %B, i64 $NODE_COUNT)
  call void @add_to(ptr %B, i64 $NODE_COUNT, i64 1)
  call void @put(ptr %arm, i64 $ARM_CHILD, i64 %which)
  %child = call ptr @node_at(ptr %B, i64 %which)
  %child.row = call ptr @place(ptr %child, i64 $NODE_ROW)
  call void @copy_row(ptr %child.row, ptr %S)
  call void @put(ptr %child, i64 $NODE_VISITS, i64 0)
  call void @put(ptr %child, i64 $NODE_KNOWN, i64 0)
  %seat = call i64 @asked(ptr %S)
  call void @put(ptr %child, i64 $NODE_SEAT, i64 %seat)
  %over = icmp eq i64 %came, 2
  %many = select i1 %over, i64 0, i64 -1
  call void @put(ptr %child, i64 $NODE_MANY, i64 %many)
  br label %out
out:
  ret i64 %came
}
; Descends to the first new option, and takes it; 0 where that trapped, 1, or 2 if the game is over there.
define internal i64 @descended(ptr %B, ptr %S, ptr %M) nounwind {
entry:
  br label %look
look:
  %n = phi i64 [ 0, %entry ], [ %child, %choose ]
  %depth = phi i64 [ 0, %entry ], [ %deeper, %choose ]
  %node = call ptr @node_at(ptr %B, i64 %n)
  %many = call i64 @get(ptr %node, i64 $NODE_MANY)
  %over = icmp eq i64 %many, 0
  br i1 %over, label %end, label %asks
end:
  %row = call ptr @place(ptr %node, i64 $NODE_ROW)
  call void @enter(ptr %S, ptr %row)
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
  %seat = call i64 @get(ptr %node, i64 $NODE_SEAT)
  call void @follow(ptr %B, i64 %depth, i64 %which, i64 %seat)
  %deeper = add i64 %depth, 1
  %arm = call ptr @arm_at(ptr %B, i64 %which)
  %child = call i64 @get(ptr %arm, i64 $ARM_CHILD)
  %is.new = icmp eq i64 %child, 0
  br i1 %is.new, label %take, label %look
take:
  %came = call i64 @taken_first(ptr %B, ptr %S, ptr %M, ptr %node, ptr %arm)
  ret i64 %came
}
