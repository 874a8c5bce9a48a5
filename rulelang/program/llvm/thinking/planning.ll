; The tries of `planner` in machine code: what `lab/planner.py` does to compare a few options, number for number. A try plays each
; option that is left, and all on by the policy, in the same re-deal with the same dice; what they led to is added up. What is said in
; `keyed.ll` and `halving.ll` holds here, too.
;
;     try_ahead(B)     tries options until it expects to look at more positions than it may; returns how often, -1 where one trapped

; Plays an option of the root, and on by the policy, and adds up what the seat is ahead by; whether that went well.
define internal i1 @tried_ahead(ptr %B, ptr %S, ptr %M, i64 %number) nounwind {
entry:
  %seat = call i64 @get(ptr %B, i64 $SEAT)
  %seed = call i64 @get(ptr %B, i64 $SEED)
  call void @put(ptr %M, i64 $RNG, i64 %seed)
  call void @begin_in_deal(ptr %B, ptr %S, ptr %M)
  call void @add_to(ptr %B, i64 $LOOKED, i64 1)
  %answer = call ptr @first_answer(ptr %B, i64 %number)
  %branch = load i64, ptr %answer
  %is.absent = icmp slt i64 %branch, 0
  br i1 %is.absent, label %add, label %play
play:
  call void @give(ptr %M, ptr %answer)
  %rng = call i64 @begin_thought(ptr %B, ptr %M)
  %thought = call ptr @list_of(ptr %B, i64 $THOUGHT)
  %ahead = call i64 @get(ptr %B, i64 $AHEAD)
  %replies = call i64 @get(ptr %B, i64 $REPLIES)
  %led = call double @play_ahead(ptr %S, ptr %M, ptr %thought, i64 %seat, i64 %ahead, i64 %replies)
  %bad = call i1 @is_trapped(ptr %M)
  br i1 %bad, label %no, label %count
no:
  ret i1 false
count:
  call void @put(ptr %M, i64 $STATUS, i64 $GOING)
  %looked = load i64, ptr %thought
  call void @add_to(ptr %B, i64 $LOOKED, i64 %looked)
  br label %add
add:
  %lead = phi double [ $ABSENT, %entry ], [ %led, %count ]
  %worths = call ptr @list_of(ptr %B, i64 $WORTHS)
  %sum = call double @real(ptr %worths, i64 %number)
  %more = fadd double %sum, %lead
  call void @put_real(ptr %worths, i64 %number, double %more)
  ret i1 true
}
define i64 @try_ahead(ptr noalias %B) nounwind {
entry:
  %S = call ptr @list_of(ptr %B, i64 $ROW)
  %M = call ptr @list_of(ptr %B, i64 $FRAME)
  %many = call i64 @get(ptr %B, i64 $CANDIDATES_MANY)
  %until = call i64 @get(ptr %B, i64 $UNTIL)
  %twice = mul i64 %until, 2
  br label %again
again:
  %done = phi i64 [ 0, %entry ], [ %next, %end ]
  %looked = call i64 @get(ptr %B, i64 $LOOKED)
  %used = call i64 @get(ptr %B, i64 $USED)
  %both = mul i64 %looked, 2
  %due = add i64 %both, %used
  %left = icmp slt i64 %due, %twice
  br i1 %left, label %begin, label %out
begin:
  call void @begin_try(ptr %B)
  br label %option
option:
  %i = phi i64 [ 0, %begin ], [ %i1, %went ]
  %more = icmp slt i64 %i, %many
  br i1 %more, label %one, label %end
one:
  %number = call i64 @of_list(ptr %B, i64 $CANDIDATES, i64 %i)
  %is.well = call i1 @tried_ahead(ptr %B, ptr %S, ptr %M, i64 %number)
  br i1 %is.well, label %went, label %trapped
went:
  %i1 = add i64 %i, 1
  br label %option
end:
  %after = call i64 @get(ptr %B, i64 $LOOKED)
  %spent = sub i64 %after, %looked
  call void @put(ptr %B, i64 $USED, i64 %spent)
  %next = add i64 %done, 1
  br label %again
out:
  ret i64 %done
trapped:
  ret i64 -1
}
