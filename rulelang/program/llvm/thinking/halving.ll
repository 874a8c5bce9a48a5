; A tree search by the rules' `score`: what `lab/mcts.py` does to compare a few options of the root, number for number. A try plays
; each candidate once, in the same re-deal with the same dice; after some tries of each, the tree grows below it. What a new
; option is worth, the policy says (`policy.ll`). The candidates' arms are the first ones. What is said in `keyed.ll` holds here, too.

declare double @llvm.fabs.f64(double)
; A try in the next re-deal, with random numbers of its own.
define internal void @begin_try(ptr %B) nounwind {
  %word = call ptr @place(ptr %B, i64 $WORD)
  %drawn = call i64 @drawn_seed(ptr %word)
  %mixed = call i64 @mixed(i64 %drawn)
  call void @put(ptr %B, i64 $SEED, i64 %mixed)
  call void @deal_next(ptr %B)
  ret void
}
define internal void @begin_game(ptr %B, ptr %S, ptr %M) nounwind {
entry:
  %before = call i64 @get(ptr %B, i64 $CANDIDATE)
  %many = call i64 @get(ptr %B, i64 $CANDIDATES_MANY)
  %next = add i64 %before, 1
  %is.new = icmp sge i64 %next, %many
  br i1 %is.new, label %try, label %begin
try:
  call void @begin_try(ptr %B)
  br label %begin
begin:
  %candidate = phi i64 [ %next, %entry ], [ 0, %try ]
  call void @put(ptr %B, i64 $CANDIDATE, i64 %candidate)
  %seed = call i64 @get(ptr %B, i64 $SEED)
  call void @put(ptr %M, i64 $RNG, i64 %seed)
  call void @begin_in_deal(ptr %B, ptr %S, ptr %M)
  ret void
}
; Adds what a game is worth to the arms on the path: to those of a seat, and to those of the others.
define internal void @credit(ptr %B, i64 %seat, double %own, double %others) nounwind {
entry:
  %path = call ptr @list_of(ptr %B, i64 $PATH)
  %depth = call i64 @get(ptr %B, i64 $DEPTH)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %one ]
  %left = icmp slt i64 %i, %depth
  br i1 %left, label %one, label %out
one:
  %at = mul i64 %i, 2
  %which = call i64 @get(ptr %path, i64 %at)
  %beside = add i64 %at, 1
  %whose = call i64 @get(ptr %path, i64 %beside)
  %is.own = icmp eq i64 %whose, %seat
  %worth = select i1 %is.own, double %own, double %others
  call void @reward(ptr %B, i64 %i, i64 %which, double %worth)
  %i1 = add i64 %i, 1
  br label %again
out:
  ret void
}
; `Leads.worth`: what a lead is worth to a seat.
define internal double @worth_of_lead(ptr %B, i64 %seat, double %lead) nounwind {
entry:
  %size = call double @llvm.fabs.f64(double %lead)
  %is.over = fcmp oge double %size, $HALF_ENDED
  br i1 %is.over, label %over, label %going
over:
  %won = fcmp ogt double %lead, 0.0
  %all = select i1 %won, double 1.0, double 0.0
  ret double %all
going:
  %leads = call ptr @list_of(ptr %B, i64 $LEADS)
  %at = mul i64 %seat, 3
  %its = call ptr @place(ptr %leads, i64 %at)
  call void @add_to(ptr %its, i64 0, i64 1)
  %seen = call i64 @get(ptr %its, i64 0)
  %times = sitofp i64 %seen to double
  %mean0 = call double @real(ptr %its, i64 1)
  %before = fsub double %lead, %mean0
  %step = fdiv double %before, %times
  %mean = fadd double %mean0, %step
  call void @put_real(ptr %its, i64 1, double %mean)
  %behind = fsub double %lead, %mean
  %square = fmul double %before, %behind
  %squares0 = call double @real(ptr %its, i64 2)
  %squares = fadd double %squares0, %square
  call void @put_real(ptr %its, i64 2, double %squares)
  %is.level = fcmp oeq double %squares, 0.0
  br i1 %is.level, label %level, label %spread
level:
  ret double 0.5
spread:
  %variance = fdiv double %squares, %times
  %deviation = call double @llvm.sqrt.f64(double %variance)
  %far = fdiv double %behind, %deviation
  %half = fmul double 0.5, %far
  %part = fdiv double %half, $FAR
  %worth = fadd double 0.5, %part
  %is.low = fcmp olt double %worth, 0.0
  %least = select i1 %is.low, double 0.0, double %worth
  %is.high = fcmp ogt double %least, 1.0
  %found = select i1 %is.high, double 1.0, double %least
  ret double %found
}
; Begins a thought of the policy with random numbers of its own; returns those of the game.
define internal i64 @begin_thought(ptr %B, ptr %M) nounwind {
  %thought = call ptr @list_of(ptr %B, i64 $THOUGHT)
  store i64 0, ptr %thought
  %rng = call ptr @place(ptr %M, i64 $RNG)
  %seed = call i64 @drawn_seed(ptr %rng)
  %held = load i64, ptr %rng
  %own = call i64 @mixed(i64 %seed)
  store i64 %own, ptr %rng
  ret i64 %held
}
; Has a seat give an answer and all play on by the policy; whether that went well.
define internal i1 @led(ptr %B, ptr %S, ptr %M, i64 %seat, ptr %answer) nounwind {
  call void @give(ptr %M, ptr %answer)
  %rng = call i64 @begin_thought(ptr %B, ptr %M)
  %thought = call ptr @list_of(ptr %B, i64 $THOUGHT)
  %ahead = call i64 @get(ptr %B, i64 $AHEAD)
  %replies = call i64 @get(ptr %B, i64 $REPLIES)
  %lead = call double @play_ahead(ptr %S, ptr %M, ptr %thought, i64 %seat, i64 %ahead, i64 %replies)
  %bad = call i1 @is_trapped(ptr %M)
  br i1 %bad, label %no, label %yes
no:
  ret i1 false
yes:
  call void @put(ptr %M, i64 $STATUS, i64 $GOING)
  call void @put(ptr %M, i64 $RNG, i64 %rng)
  %worth = call double @worth_of_lead(ptr %B, i64 %seat, double %lead)
  %rest = fsub double 1.0, %worth
  call void @credit(ptr %B, i64 %seat, double %worth, double %rest)
  ret i1 true
}
; Notes the option that looks best to the policy at a new node; whether that went well.
define internal i1 @ranked(ptr %B, ptr %S, ptr %M, ptr %node, i64 %seat) nounwind {
  %known = call i64 @get(ptr %node, i64 $NODE_KNOWN)
  %is.known = icmp ne i64 %known, 0
  br i1 %is.known, label %yes, label %think
think:
  %rng = call i64 @begin_thought(ptr %B, ptr %M)
  %thought = call ptr @list_of(ptr %B, i64 $THOUGHT)
  %went = call i1 @choose(ptr %S, ptr %M, ptr %thought, i64 %seat)
  br i1 %went, label %note, label %no
note:
  call void @put(ptr %M, i64 $RNG, i64 %rng)
  %question = call i64 @get(ptr %S, i64 $QUESTION)
  %best = call ptr @place(ptr %M, i64 $GIVEN)
  %key = call i64 @written(ptr %B, i64 %question, ptr %best, i1 false)
  call void @put(ptr %node, i64 $NODE_BEST, i64 %key)
  call void @put(ptr %node, i64 $NODE_KNOWN, i64 1)
  br label %yes
yes:
  ret i1 true
no:
  ret i1 false
}
; The option that looks best, unless it has an arm or is not on offer; else any without an arm.
define internal i64 @new_option(ptr %B, ptr %M, ptr %node, i64 %known, i64 %listed) nounwind {
entry:
  %best = call i64 @get(ptr %node, i64 $NODE_BEST)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %left = icmp slt i64 %i, %listed
  br i1 %left, label %look, label %any
look:
  %key = call i64 @of_list(ptr %B, i64 $KEYS, i64 %i)
  %arm = call i64 @of_list(ptr %B, i64 $FOUND, i64 %i)
  %is.best = icmp eq i64 %key, %best
  %is.new = icmp slt i64 %arm, 0
  %is.it = and i1 %is.best, %is.new
  br i1 %is.it, label %found, label %next
next:
  %i1 = add i64 %i, 1
  br label %again
found:
  ret i64 %i
any:
  %drawn = call i64 @drawn_option(ptr %B, ptr %M, i64 %known, i64 %listed)
  ret i64 %drawn
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
  %first = call i64 @new_option(ptr %B, ptr %M, ptr %node, i64 %known, i64 %listed)
  call void @consider(ptr %B, ptr %M, ptr %node, i64 %first, i64 %listed)
  ret i64 %first
old:
  %best = call i64 @most_promising(ptr %B, i64 %listed)
  ret i64 %best
}
; The answer that a candidate is in the re-deal; its branch is -1 where it is not on offer.
define internal ptr @first_answer(ptr %B, i64 %number) nounwind {
  %deal = call i64 @get(ptr %B, i64 $DEAL)
  %all = call i64 @get(ptr %B, i64 $FIRSTS_MANY)
  %row = mul i64 %deal, %all
  %in.row = add i64 %row, %number
  %at = mul i64 %in.row, $WIDTH
  %firsts = call ptr @list_of(ptr %B, i64 $FIRSTS)
  %first = call ptr @place(ptr %firsts, i64 %at)
  ret ptr %first
}
; Plays a candidate, and descends below it if it was tried often; 0 where that trapped, 2 if the game is over, or 3 if the arms have
; what it was worth.
define internal i64 @descended(ptr %B, ptr %S, ptr %M) nounwind {
entry:
  %root = call ptr @node_at(ptr %B, i64 0)
  %searcher = call i64 @get(ptr %root, i64 $NODE_SEAT)
  %turn = call i64 @get(ptr %B, i64 $CANDIDATE)
  %number = call i64 @of_list(ptr %B, i64 $CANDIDATES, i64 %turn)
  %first = call ptr @first_answer(ptr %B, i64 %number)
  call void @follow(ptr %B, i64 0, i64 %number, i64 %searcher)
  %branch = load i64, ptr %first
  %is.absent = icmp slt i64 %branch, 0
  br i1 %is.absent, label %absent, label %there
absent:
  call void @credit(ptr %B, i64 %searcher, double 0.0, double 0.0)
  ret i64 3
there:
  %arm0 = call ptr @arm_at(ptr %B, i64 %number)
  %times0 = call i64 @get(ptr %arm0, i64 $ARM_TAKEN)
  %flat = call i64 @get(ptr %B, i64 $FLAT)
  %is.flat = icmp slt i64 %times0, %flat
  br i1 %is.flat, label %lead, label %answer
lead:
  %led.seat = phi i64 [ %searcher, %there ], [ %seat, %take ]
  %led.answer = phi ptr [ %first, %there ], [ %option, %take ]
  %went = call i1 @led(ptr %B, ptr %S, ptr %M, i64 %led.seat, ptr %led.answer)
  br i1 %went, label %credited, label %trapped
credited:
  ret i64 3
trapped:
  ret i64 0
answer:
  %mover = phi i64 [ %searcher, %there ], [ %seat, %take ]
  %given = phi ptr [ %first, %there ], [ %option, %take ]
  %depth = phi i64 [ 1, %there ], [ %deeper, %take ]
  %came = call i64 @carried_out(ptr %B, ptr %S, ptr %M, i64 %mover, ptr %given)
  switch i64 %came, label %over [ i64 0, label %trapped i64 1, label %down ]
over:
  %how = call i64 @get(ptr %S, i64 $OUTCOME)
  %is.undecided = icmp eq i64 %how, $UNDECIDED
  br i1 %is.undecided, label %trapped, label %ended
ended:
  ret i64 2
down:
  %n = call i64 @node_of(ptr %B, ptr %S)
  %node = call ptr @node_at(ptr %B, i64 %n)
  %seat = call i64 @get(ptr %node, i64 $NODE_SEAT)
  %is.ranked = call i1 @ranked(ptr %B, ptr %S, ptr %M, ptr %node, i64 %seat)
  br i1 %is.ranked, label %list, label %trapped
list:
  %listed = call i64 @offered(ptr %S, ptr %M, i64 %seat)
  %none = icmp eq i64 %listed, 0
  br i1 %none, label %trapped, label %choose
choose:
  %which = call i64 @chosen(ptr %B, ptr %S, ptr %M, ptr %node, i64 %listed)
  %left = icmp slt i64 %which, 0
  br i1 %left, label %trapped, label %take
take:
  %its = call i64 @of_list(ptr %B, i64 $FOUND, i64 %which)
  call void @follow(ptr %B, i64 %depth, i64 %its, i64 %seat)
  %deeper = add i64 %depth, 1
  %option = call ptr @listed(ptr %M, i64 %which)
  %arm = call ptr @arm_at(ptr %B, i64 %its)
  %times = call i64 @get(ptr %arm, i64 $ARM_TAKEN)
  %is.new = icmp eq i64 %times, 0
  br i1 %is.new, label %lead, label %answer
}
