; The nodes of a search where dice are rolled, or seats do not know all: each game has dice of its own and is played anew from a
; re-deal, and at each node it meets the options that there are this time. What is said in `tree.ll` holds here, too. A node is found by a
; key: who is asked, what that seat knows at the root, what lies open now, and which answers all have seen since. Keys are 64
; bits, as in tables of chess positions (Zobrist 1970), so two nodes in 10^19 may be taken for one. A node has an arm for each
; option that was taken, in the order in which they were taken first, and an arm is found by the key of what is written of it.

define internal i64 @folded(i64 %key, i64 %more) nounwind alwaysinline {
  %both = xor i64 %key, %more
  %moved = add i64 %both, $STEP
  %folded = call i64 @mixed(i64 %moved)
  ret i64 %folded
}
; What lies at a place of a list of B.
define internal i64 @of_list(ptr %B, i64 %which, i64 %at) nounwind alwaysinline {
  %list = call ptr @list_of(ptr %B, i64 %which)
  %found = call i64 @get(ptr %list, i64 %at)
  ret i64 %found
}
; The re-deal in which the next games begin.
define internal void @deal_next(ptr %B) nounwind {
  %before = call i64 @get(ptr %B, i64 $DEAL)
  %next = add i64 %before, 1
  %many = call i64 @get(ptr %B, i64 $DEALS_MANY)
  %deal = srem i64 %next, %many
  call void @put(ptr %B, i64 $DEAL, i64 %deal)
  ret void
}
; The first word of the row of the re-deal.
define internal ptr @dealt(ptr %B) nounwind {
  %deal = call i64 @get(ptr %B, i64 $DEAL)
  %deals = call ptr @list_of(ptr %B, i64 $DEALS)
  %at = mul i64 %deal, $KEPT
  %row = call ptr @place(ptr %deals, i64 %at)
  ret ptr %row
}
; A random number of 62 bits, for which Python draws two words.
define internal i64 @drawn_seed(ptr %word) nounwind {
  %rng = load i64, ptr %word
  %first = add i64 %rng, $STEP
  %second = add i64 %first, $STEP
  store i64 %second, ptr %word
  %drawn = call i64 @mixed(i64 %first)
  %seed = lshr i64 %drawn, 2
  ret i64 %seed
}
; Begins in the re-deal, with dice that are known by such a number.
define internal void @begin_in_deal(ptr %B, ptr %S, ptr %M) nounwind {
  %rng = call ptr @place(ptr %M, i64 $RNG)
  %seed = call i64 @drawn_seed(ptr %rng)
  %key = call i64 @mixed(i64 %seed)
  call void @put(ptr %M, i64 $DICE_KEY, i64 %key)
  call void @put(ptr %M, i64 $FLAG, i64 $TOGETHER)
  %row = call ptr @dealt(ptr %B)
  call void @enter(ptr %S, ptr %row)
  call void @put(ptr %B, i64 $TOLD, i64 0)
  call void @put(ptr %B, i64 $ANSWERED, i64 0)
  ret void
}

; The number of what is printed on a thing of a kind, whose numbers begin at a place; what is no thing is its own number.
define internal i64 @printed(ptr %B, i64 %kind, i64 %thing) nounwind {
  %is.none = icmp slt i64 %thing, 0
  br i1 %is.none, label %none, label %some
none:
  ret i64 %thing
some:
  %at = add i64 %kind, %thing
  %class = call i64 @of_list(ptr %B, i64 $CLASSES, i64 %at)
  ret i64 %class
}
; The key of what is printed on the things in some words, in whichever order, as seen from a place.
define internal i64 @printed_in(ptr %B, ptr %slot, i64 %form, i64 %words, i64 %kind, i64 %from) nounwind {
entry:
  br label %word
word:
  %w = phi i64 [ 0, %entry ], [ %w1, %next ]
  %sum = phi i64 [ 0, %entry ], [ %sum.next, %next ]
  %left = icmp slt i64 %w, %words
  br i1 %left, label %look, label %out
look:
  %held = call i64 @get(ptr %slot, i64 %w)
  %w1 = add i64 %w, 1
  switch i64 %form, label %value [ i64 $PLAIN, label %plain i64 $MASK, label %mask i64 $PILE, label %pile ]
plain:
  %as.it.is = call i64 @folded(i64 %from, i64 %held)
  %sum.plain = add i64 %sum, %as.it.is
  br label %next
value:
  %is.none = icmp slt i64 %held, 0
  br i1 %is.none, label %next, label %thing
mask:
  %first = shl i64 %w, 6
  br label %bit
bit:
  %rest = phi i64 [ %held, %mask ], [ %rest1, %bit.one ]
  %sum.bit = phi i64 [ %sum, %mask ], [ %sum.more, %bit.one ]
  %is.empty = icmp eq i64 %rest, 0
  br i1 %is.empty, label %next, label %bit.one
bit.one:
  %b = call i64 @llvm.cttz.i64(i64 %rest, i1 true)
  %in.mask = add i64 %first, %b
  %sum.more = call i64 @with_thing(ptr %B, i64 %sum.bit, i64 %kind, i64 %in.mask, i64 %from)
  %less = sub i64 %rest, 1
  %rest1 = and i64 %rest, %less
  br label %bit
pile:
  %items = phi i64 [ %held, %look ], [ %items1, %item ]
  %sum.item = phi i64 [ %sum, %look ], [ %sum.item1, %item ]
  %is.end = icmp eq i64 %items, 0
  br i1 %is.end, label %next, label %item
item:
  %low = and i64 %items, $ITEM_MASK
  %in.pile = sub i64 %low, 1
  %sum.item1 = call i64 @with_thing(ptr %B, i64 %sum.item, i64 %kind, i64 %in.pile, i64 %from)
  %items1 = lshr i64 %items, $ITEM
  br label %pile
thing:
  %sum.thing = call i64 @with_thing(ptr %B, i64 %sum, i64 %kind, i64 %held, i64 %from)
  br label %next
next:
  %sum.next = phi i64 [ %sum.plain, %plain ], [ %sum, %value ], [ %sum.thing, %thing ], [ %sum.bit, %bit ], [ %sum.item, %pile ]
  br label %word
out:
  ret i64 %sum
}
define internal i64 @with_thing(ptr %B, i64 %sum, i64 %kind, i64 %thing, i64 %from) nounwind {
  %class = call i64 @printed(ptr %B, i64 %kind, i64 %thing)
  %key = call i64 @folded(i64 %from, i64 %class)
  %more = add i64 %sum, %key
  ret i64 %more
}
; The key of what lies in some zones of a row. A zone is its form, word, words, and where the numbers of its kind begin.
define internal i64 @lying(ptr %B, ptr %S, ptr %zones, i64 %many) nounwind {
entry:
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %one ]
  %key = phi i64 [ 0, %entry ], [ %key1, %one ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %one, label %out
one:
  %at = mul i64 %i, 4
  %zone = call ptr @place(ptr %zones, i64 %at)
  %form = call i64 @get(ptr %zone, i64 0)
  %word = call i64 @get(ptr %zone, i64 1)
  %words = call i64 @get(ptr %zone, i64 2)
  %kind = call i64 @get(ptr %zone, i64 3)
  %slot = call ptr @place(ptr %S, i64 %word)
  %from = call i64 @folded(i64 %word, i64 -1)
  %more = call i64 @printed_in(ptr %B, ptr %slot, i64 %form, i64 %words, i64 %kind, i64 %from)
  %key1 = add i64 %key, %more
  %i1 = add i64 %i, 1
  br label %again
out:
  ret i64 %key
}
; A key, and what is written of a set of things: their names in the order of their numbers.
define internal i64 @with_set(ptr %B, i64 %before, ptr %given, i64 %words, i64 %kind) nounwind {
entry:
  br label %word
word:
  %w = phi i64 [ 0, %entry ], [ %w1, %next ]
  %key = phi i64 [ %before, %entry ], [ %key.bit, %next ]
  %left = icmp slt i64 %w, %words
  br i1 %left, label %look, label %out
look:
  %held = call i64 @get(ptr %given, i64 %w)
  %first = shl i64 %w, 6
  br label %bit
bit:
  %rest = phi i64 [ %held, %look ], [ %rest1, %one ]
  %key.bit = phi i64 [ %key, %look ], [ %key.more, %one ]
  %is.empty = icmp eq i64 %rest, 0
  br i1 %is.empty, label %next, label %one
one:
  %b = call i64 @llvm.cttz.i64(i64 %rest, i1 true)
  %thing = add i64 %first, %b
  %name = call i64 @printed(ptr %B, i64 %kind, i64 %thing)
  %key.more = call i64 @folded(i64 %key.bit, i64 %name)
  %less = sub i64 %rest, 1
  %rest1 = and i64 %rest, %less
  br label %bit
next:
  %w1 = add i64 %w, 1
  br label %word
out:
  %ended = call i64 @folded(i64 %key, i64 -1)
  ret i64 %ended
}
; What a seat knows at the root: a number that was given, or the key of what it sees there and the searching seat does not.
define internal i64 @known_to(ptr %B, i64 %seat) nounwind {
  %deal = call i64 @get(ptr %B, i64 $DEAL)
  %players = call i64 @get(ptr %B, i64 $PLAYERS)
  %row = mul i64 %deal, %players
  %at = add i64 %row, %seat
  %known = call ptr @list_of(ptr %B, i64 $KNOWN)
  %number = call i64 @get(ptr %known, i64 %at)
  %is.given = icmp ne i64 %number, 0
  br i1 %is.given, label %given, label %look
given:
  ret i64 %number
look:
  %sights = call ptr @list_of(ptr %B, i64 $SIGHTS)
  %first.at = mul i64 %seat, 2
  %first = call i64 @get(ptr %sights, i64 %first.at)
  %many.at = add i64 %first.at, 1
  %many = call i64 @get(ptr %sights, i64 %many.at)
  %zones = call ptr @place(ptr %sights, i64 %first)
  %dealt = call ptr @dealt(ptr %B)
  %key = call i64 @lying(ptr %B, ptr %dealt, ptr %zones, i64 %many)
  call void @put(ptr %known, i64 %at, i64 %key)
  ret i64 %key
}
; The key of what is written of an option, or, where it is told to others, of what they see. Its branch has a number, whether it
; has secrets, and its parameters: how many, and of each the form, the words, and where the numbers of its kind begin.
define internal i64 @written(ptr %B, i64 %question, ptr %option, i1 %is.told) nounwind {
entry:
  %branch = load i64, ptr %option
  %branches = call i64 @get(ptr %B, i64 $BRANCHES)
  %row = mul i64 %question, %branches
  %in.row = add i64 %row, %branch
  %at = call i64 @of_list(ptr %B, i64 $ANSWERS, i64 %in.row)
  %answers = call ptr @list_of(ptr %B, i64 $ANSWERS)
  %form = call ptr @place(ptr %answers, i64 %at)
  %number = call i64 @get(ptr %form, i64 0)
  %secret = call i64 @get(ptr %form, i64 1)
  %is.bare = icmp eq i64 %number, 0
  %has.secrets = icmp ne i64 %secret, 0
  %is.cut = and i1 %has.secrets, %is.told
  %parameters = call i64 @get(ptr %form, i64 2)
  %many = select i1 %is.cut, i64 0, i64 %parameters
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %behind ]
  %from = phi i64 [ 1, %entry ], [ %from1, %behind ]
  %key = phi i64 [ %number, %entry ], [ %key1, %behind ]
  %left = icmp slt i64 %i, %many
  br i1 %left, label %one, label %out
one:
  %i3 = mul i64 %i, 3
  %p.at = add i64 %i3, 3
  %p = call ptr @place(ptr %form, i64 %p.at)
  %how = call i64 @get(ptr %p, i64 0)
  %words = call i64 @get(ptr %p, i64 1)
  %kind = call i64 @get(ptr %p, i64 2)
  %given = call ptr @place(ptr %option, i64 %from)
  %from1 = add i64 %from, %words
  %i1 = add i64 %i, 1
  %is.only = icmp eq i64 %many, 1
  %stands.alone = and i1 %is.bare, %is.only
  switch i64 %how, label %plain [ i64 $MASK, label %set i64 $VALUE, label %thing ]
thing:
  %named.thing = load i64, ptr %given
  %name = call i64 @printed(ptr %B, i64 %kind, i64 %named.thing)
  %with.name = call i64 @folded(i64 %key, i64 %name)
  %key.thing = select i1 %stands.alone, i64 %name, i64 %with.name
  br label %behind
set:
  %key.set = call i64 @with_set(ptr %B, i64 %key, ptr %given, i64 %words, i64 %kind)
  br label %behind
plain:
  %w = phi i64 [ 0, %one ], [ %w1, %word ]
  %key.plain = phi i64 [ %key, %one ], [ %key.word, %word ]
  %w.left = icmp slt i64 %w, %words
  br i1 %w.left, label %word, label %behind
word:
  %value = call i64 @get(ptr %given, i64 %w)
  %with.value = call i64 @folded(i64 %key.plain, i64 %value)
  %key.word = select i1 %stands.alone, i64 %value, i64 %with.value
  %w1 = add i64 %w, 1
  br label %plain
behind:
  %key1 = phi i64 [ %key.thing, %thing ], [ %key.set, %set ], [ %key.plain, %plain ]
  br label %again
out:
  ret i64 %key
}

; The arm of a node with this key; -1 if there is none.
define internal i64 @arm_of(ptr %B, ptr %node, i64 %key) nounwind {
entry:
  %first = call i64 @get(ptr %node, i64 $NODE_FIRST)
  br label %again
again:
  %n = phi i64 [ %first, %entry ], [ %after, %next ]
  %none = icmp slt i64 %n, 0
  br i1 %none, label %out, label %look
look:
  %arm = call ptr @arm_at(ptr %B, i64 %n)
  %its = call i64 @get(ptr %arm, i64 $ARM_KEY)
  %same = icmp eq i64 %its, %key
  br i1 %same, label %out, label %next
next:
  %after = call i64 @get(ptr %arm, i64 $ARM_NEXT)
  br label %again
out:
  ret i64 %n
}
; Notes the key of each option, and its arm; returns how many have one.
define internal i64 @find_arms(ptr %B, ptr %S, ptr %M, ptr %node, i64 %listed) nounwind {
entry:
  %found = call ptr @list_of(ptr %B, i64 $FOUND)
  %keys = call ptr @list_of(ptr %B, i64 $KEYS)
  %question = call i64 @get(ptr %S, i64 $QUESTION)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %one ]
  %known = phi i64 [ 0, %entry ], [ %known1, %one ]
  %left = icmp slt i64 %i, %listed
  br i1 %left, label %one, label %out
one:
  %option = call ptr @listed(ptr %M, i64 %i)
  %key = call i64 @written(ptr %B, i64 %question, ptr %option, i1 false)
  call void @put(ptr %keys, i64 %i, i64 %key)
  %arm = call i64 @arm_of(ptr %B, ptr %node, i64 %key)
  call void @put(ptr %found, i64 %i, i64 %arm)
  %is = icmp sge i64 %arm, 0
  %more = zext i1 %is to i64
  %known1 = add i64 %known, %more
  %i1 = add i64 %i, 1
  br label %again
out:
  ret i64 %known
}
; Whether two options are written alike: Python tells them apart by where their things lie.
define internal i1 @are_alike(ptr %B, ptr %S, i64 %listed) nounwind {
entry:
  %question = call i64 @get(ptr %S, i64 $QUESTION)
  %copies = call i64 @of_list(ptr %B, i64 $COPIES, i64 %question)
  %may = icmp ne i64 %copies, 0
  %keys = call ptr @list_of(ptr %B, i64 $KEYS)
  br i1 %may, label %again, label %no
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %beside ]
  %left = icmp slt i64 %i, %listed
  br i1 %left, label %one, label %no
one:
  %key = call i64 @get(ptr %keys, i64 %i)
  %i1 = add i64 %i, 1
  br label %beside
beside:
  %j = phi i64 [ 0, %one ], [ %j1, %look ]
  %more = icmp slt i64 %j, %i
  br i1 %more, label %look, label %again
look:
  %other = call i64 @get(ptr %keys, i64 %j)
  %same = icmp eq i64 %key, %other
  %j1 = add i64 %j, 1
  br i1 %same, label %yes, label %beside
yes:
  ret i1 true
no:
  ret i1 false
}
; One of the options that have no arm, at random.
define internal i64 @drawn_option(ptr %B, ptr %M, i64 %known, i64 %listed) nounwind {
entry:
  %new = sub i64 %listed, %known
  %drawn = call i64 @below(ptr %M, i64 %new)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %skip = phi i64 [ %drawn, %entry ], [ %skip1, %next ]
  %n = call i64 @of_list(ptr %B, i64 $FOUND, i64 %i)
  %is.new = icmp slt i64 %n, 0
  %is.last = icmp eq i64 %skip, 0
  %is.it = and i1 %is.new, %is.last
  br i1 %is.it, label %found, label %next
next:
  %less = zext i1 %is.new to i64
  %skip1 = sub i64 %skip, %less
  %i1 = add i64 %i, 1
  br label %again
found:
  ret i64 %i
}
; Makes an arm for an option; the others were available once more.
define internal void @consider(ptr %B, ptr %M, ptr %node, i64 %which, i64 %listed) nounwind {
entry:
  %found = call ptr @list_of(ptr %B, i64 $FOUND)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %i1, %next ]
  %left = icmp slt i64 %i, %listed
  br i1 %left, label %look, label %add
look:
  %n = call i64 @get(ptr %found, i64 %i)
  %is.known = icmp sge i64 %n, 0
  br i1 %is.known, label %there, label %next
there:
  %arm = call ptr @arm_at(ptr %B, i64 %n)
  call void @add_to(ptr %arm, i64 $ARM_THERE, i64 1)
  br label %next
next:
  %i1 = add i64 %i, 1
  br label %again
add:
  %option = call ptr @listed(ptr %M, i64 %which)
  %key = call i64 @of_list(ptr %B, i64 $KEYS, i64 %which)
  %number = call i64 @added_arm(ptr %B, ptr %node, i64 %key, ptr %option)
  call void @put(ptr %found, i64 %which, i64 %number)
  ret void
}
; A new arm behind the others of a node.
define internal i64 @added_arm(ptr %B, ptr %node, i64 %key, ptr %option) nounwind {
entry:
  %number = call i64 @get(ptr %B, i64 $ARM_COUNT)
  call void @add_to(ptr %B, i64 $ARM_COUNT, i64 1)
  %arm = call ptr @arm_at(ptr %B, i64 %number)
  call void @put(ptr %arm, i64 $ARM_TAKEN, i64 0)
  call void @put_real(ptr %arm, i64 $ARM_WON, double 0.0)
  call void @put(ptr %arm, i64 $ARM_THERE, i64 1)
  call void @put(ptr %arm, i64 $ARM_NEXT, i64 -1)
  call void @put(ptr %arm, i64 $ARM_KEY, i64 %key)
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
; `most_promising` among the options with arms.
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
  %best.known = select i1 %is.better, i64 %i, i64 %best
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
; The choice that is asked; -1 if none is.
define internal i64 @asks(ptr %B, ptr %S) nounwind {
  %question = call i64 @get(ptr %S, i64 $QUESTION)
  %choice = call i64 @of_list(ptr %B, i64 $CHOICES, i64 %question)
  ret i64 %choice
}
; The seats that are asked, a mask.
define internal i64 @owing(ptr %B, ptr %S) nounwind {
  %question = call i64 @get(ptr %S, i64 $QUESTION)
  %slot = call i64 @of_list(ptr %B, i64 $OWING, i64 %question)
  %is.sealed = icmp sge i64 %slot, 0
  br i1 %is.sealed, label %several, label %one
several:
  %owed = call i64 @get(ptr %S, i64 %slot)
  ret i64 %owed
one:
  %seat = call i64 @asked(ptr %S)
  %bit = shl i64 1, %seat
  ret i64 %bit
}
; A seat, and where all may know it, the choice that it is asked.
define internal i64 @seat_and_choice(ptr %B, ptr %S, i64 %seat) nounwind {
  %choice = call i64 @asks(ptr %B, ptr %S)
  %shown = add i64 %choice, 1
  %open = select i1 $HIDES, i64 0, i64 %shown
  %upper = shl i64 %open, 8
  %both = or i64 %upper, %seat
  ret i64 %both
}
; The node of the seat that is asked now, a new one if there is none yet.
define internal i64 @node_of(ptr %B, ptr %S) nounwind {
entry:
  %told = call i64 @get(ptr %B, i64 $TOLD)
  %seat = call i64 @asked(ptr %S)
  %asked = call i64 @seat_and_choice(ptr %B, ptr %S, i64 %seat)
  %plain = call i64 @folded(i64 %told, i64 %asked)
  br i1 $HIDES, label %hidden, label %find
hidden:
  %known = call i64 @known_to(ptr %B, i64 %seat)
  %with.known = call i64 @folded(i64 %plain, i64 %known)
  %zones = call ptr @list_of(ptr %B, i64 $ZONES)
  %many = call i64 @get(ptr %B, i64 $ZONES_MANY)
  %open = call i64 @lying(ptr %B, ptr %S, ptr %zones, i64 %many)
  %with.open = call i64 @folded(i64 %with.known, i64 %open)
  br label %find
find:
  %key = phi i64 [ %plain, %entry ], [ %with.open, %hidden ]
  %buckets = call ptr @list_of(ptr %B, i64 $BUCKETS)
  %bucket = and i64 %key, $BUCKET_MASK
  %first = call i64 @get(ptr %buckets, i64 %bucket)
  br label %again
again:
  %n = phi i64 [ %first, %find ], [ %after, %other ]
  %none = icmp eq i64 %n, 0
  br i1 %none, label %new, label %look
look:
  %node = call ptr @node_at(ptr %B, i64 %n)
  %its = call i64 @get(ptr %node, i64 $NODE_KEY)
  %same = icmp eq i64 %its, %key
  br i1 %same, label %found, label %other
other:
  %after = call i64 @get(ptr %node, i64 $NODE_NEXT)
  br label %again
found:
  ret i64 %n
new:
  %number = call i64 @get(ptr %B, i64 $NODE_COUNT)
  call void @add_to(ptr %B, i64 $NODE_COUNT, i64 1)
  call void @put(ptr %buckets, i64 %bucket, i64 %number)
  %made = call ptr @node_at(ptr %B, i64 %number)
  call void @put(ptr %made, i64 $NODE_VISITS, i64 0)
  call void @put(ptr %made, i64 $NODE_FIRST, i64 -1)
  call void @put(ptr %made, i64 $NODE_SEAT, i64 %seat)
  call void @put(ptr %made, i64 $NODE_KNOWN, i64 0)
  call void @put(ptr %made, i64 $NODE_KEY, i64 %key)
  call void @put(ptr %made, i64 $NODE_NEXT, i64 %first)
  ret i64 %number
}
; Carries out an answer, and notes what others see of it: TOLD is the key of the answers that all have seen, ANSWERED has those
; under seal as well. 0 where that trapped, 1, or 2 if the game is over.
define internal i64 @carried_out(ptr %B, ptr %S, ptr %M, i64 %seat, ptr %option) nounwind {
entry:
  %question = call i64 @get(ptr %S, i64 $QUESTION)
  %seen = call i64 @written(ptr %B, i64 %question, ptr %option, i1 true)
  %who = call i64 @seat_and_choice(ptr %B, ptr %S, i64 %seat)
  %answered = call i64 @get(ptr %B, i64 $ANSWERED)
  %by.seat = call i64 @folded(i64 %answered, i64 %who)
  %with.answer = call i64 @folded(i64 %by.seat, i64 %seen)
  call void @put(ptr %B, i64 $ANSWERED, i64 %with.answer)
  %choice = call i64 @asks(ptr %B, ptr %S)
  %owing = call i64 @owing(ptr %B, ptr %S)
  call void @give(ptr %M, ptr %option)
  %done = call i64 @answer(ptr %S, ptr %M, i64 %seat)
  %came = call i64 @came_to(ptr %S, ptr %M)
  switch i64 %came, label %out [ i64 1, label %on ]
on:
  %choice1 = call i64 @asks(ptr %B, ptr %S)
  %owing1 = call i64 @owing(ptr %B, ptr %S)
  %same = icmp eq i64 %choice, %choice1
  %fewer = icmp ne i64 %owing, %owing1
  %not.asked = xor i64 %owing, -1
  %more = and i64 %owing1, %not.asked
  %no.more = icmp eq i64 %more, 0
  %are.fewer = and i1 %fewer, %no.more
  %is.sealed = and i1 %same, %are.fewer
  br i1 %is.sealed, label %out, label %tell
tell:
  call void @put(ptr %B, i64 $TOLD, i64 %with.answer)
  br label %out
out:
  ret i64 %came
}
