; The small functions of thoughts: rows are copied, answers given and carried out, options listed, numbers drawn.

define internal i64 @get(ptr %p, i64 %i) nounwind alwaysinline {
  %at = getelementptr inbounds i64, ptr %p, i64 %i
  %v = load i64, ptr %at
  ret i64 %v
}
define internal void @put(ptr %p, i64 %i, i64 %v) nounwind alwaysinline {
  %at = getelementptr inbounds i64, ptr %p, i64 %i
  store i64 %v, ptr %at
  ret void
}
define internal ptr @place(ptr %p, i64 %i) nounwind alwaysinline {
  %at = getelementptr inbounds i64, ptr %p, i64 %i
  ret ptr %at
}
define internal void @copy_row(ptr %to, ptr %from) nounwind alwaysinline {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 $ROW_BYTES, i1 false)
  ret void
}
define internal void @copy_answer(ptr %to, ptr %from) nounwind alwaysinline {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 $ANSWER_BYTES, i1 false)
  ret void
}
; The place of a listed option.
define internal ptr @listed(ptr %M, i64 %i) nounwind alwaysinline {
  %n = mul i64 %i, $WIDTH
  %o = add i64 %n, $OFFERS
  %at = getelementptr inbounds i64, ptr %M, i64 %o
  ret ptr %at
}
define internal void @give(ptr %M, ptr %from) nounwind alwaysinline {
  %to = getelementptr inbounds i64, ptr %M, i64 $GIVEN
  call void @copy_answer(ptr %to, ptr %from)
  ret void
}
define internal void @trap(ptr %M) nounwind alwaysinline {
  call void @put(ptr %M, i64 $STATUS, i64 $TRAPPED)
  ret void
}
define internal i1 @is_trapped(ptr %M) nounwind alwaysinline {
  %s = call i64 @get(ptr %M, i64 $STATUS)
  %is = icmp eq i64 %s, $TRAPPED
  ret i1 %is
}
; Carries out the given answer; whether that went well, the end of the game included.
define internal i1 @answered(ptr %S, ptr %M, i64 %seat) nounwind {
  %done = call i64 @answer(ptr %S, ptr %M, i64 %seat)
  %bad = call i1 @is_trapped(ptr %M)
  br i1 %bad, label %no, label %yes
no:
  ret i1 false
yes:
  call void @put(ptr %M, i64 $STATUS, i64 $GOING)
  ret i1 true
}
; Lists the options of a seat and returns how many; 0 when trapped, as it is where there are none.
define internal i64 @offered(ptr %S, ptr %M, i64 %seat) nounwind {
  %n = call i64 @list_options(ptr %S, ptr %M, i64 %seat)
  %bad = call i1 @is_trapped(ptr %M)
  %none = icmp eq i64 %n, 0
  %stop = or i1 %bad, %none
  br i1 %stop, label %no, label %yes
no:
  call void @trap(ptr %M)
  ret i64 0
yes:
  ret i64 %n
}
; `RandomStream.randrange`.
define internal i64 @below(ptr %M, i64 %stop) nounwind {
  %w = call i64 @get(ptr %M, i64 $RNG)
  %next = add i64 %w, $STEP
  call void @put(ptr %M, i64 $RNG, i64 %next)
  %drawn = call i64 @mixed(i64 %next)
  %found = call i64 @high(i64 %drawn, i64 %stop)
  ret i64 %found
}
