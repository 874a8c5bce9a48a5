; A tree search by random games, each in the next re-deal. What is said in `keyed.ll` holds here, too.

define internal void @begin_game(ptr %B, ptr %S, ptr %M) nounwind {
  call void @deal_next(ptr %B)
  call void @begin_in_deal(ptr %B, ptr %S, ptr %M)
  ret void
}
; `InformationSet.chosen`: the number of an option, whose arm is noted; -1 if Python has to choose.
define internal i64 @chosen(ptr %B, ptr %S, ptr %M, ptr %node, i64 %listed) nounwind {
  call void @add_to(ptr %node, i64 $NODE_VISITS, i64 1)
  %known = call i64 @find_arms(ptr %B, ptr %S, ptr %M, ptr %node, i64 %listed)
  %alike = call i1 @are_alike(ptr %B, ptr %S, i64 %listed)
  br i1 %alike, label %none, label %apart
none:
  ret i64 -1
apart:
  %is.new = call i1 @considers_more(ptr %B, ptr %node, i64 %known, i64 %listed)
  br i1 %is.new, label %new, label %old
new:
  %first = call i64 @drawn_option(ptr %B, ptr %M, i64 %known, i64 %listed)
  call void @consider(ptr %B, ptr %M, ptr %node, i64 %first, i64 %listed)
  ret i64 %first
old:
  %best = call i64 @most_promising(ptr %B, i64 %listed)
  ret i64 %best
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
  %which = call i64 @chosen(ptr %B, ptr %S, ptr %M, ptr %node, i64 %listed)
  %left = icmp slt i64 %which, 0
  br i1 %left, label %trapped, label %take
take:
  %number = call i64 @of_list(ptr %B, i64 $FOUND, i64 %which)
  call void @follow(ptr %B, i64 %depth, i64 %number, i64 %seat)
  %deeper = add i64 %depth, 1
  %option = call ptr @listed(ptr %M, i64 %which)
  %came = call i64 @carried_out(ptr %B, ptr %S, ptr %M, i64 %seat, ptr %option)
  switch i64 %came, label %out [ i64 1, label %on ]
on:
  %arm = call ptr @arm_at(ptr %B, i64 %number)
  %times = call i64 @get(ptr %arm, i64 $ARM_TAKEN)
  %is.new = icmp eq i64 %times, 0
  br i1 %is.new, label %out, label %down
down:
  %child = call i64 @node_of(ptr %B, ptr %S)
  br label %look
out:
  ret i64 %came
}
