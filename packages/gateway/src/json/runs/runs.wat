;; Reads the two lists that nearly all bytes of a captured reply are in, a window of the reply at a time. Each function reads
;; as many items as are spelled as engines spell them, and stops in front of anything else, for the scanner to look at.
;;
;; Memory: how many items were read at 0, whether the end of the run stands behind an item at 4, powers of ten at 64, the
;; window at 1024, what was read at 131072. `runs.ts` has the same numbers.
(module
  (memory (export "memory") 4)

  ;; Token ids: decimal numbers of one to eight digits, each with a comma right behind it, and perhaps a space behind that.
  ;; Returns where the first byte is that was not read.
  (func (export "tokenIds") (param $at i32) (param $end i32) (result i32)
    (local $low v128) (local $high v128)
    (local $others i32) (local $commas i32) (local $spaces i32)
    (local $start i32) (local $stop i32) (local $digits i32) (local $out i32)
    (local $word i64)
    (local.set $out (i32.const 131072))
    ;; 32 bytes are looked at together: where one id ends is then known before the one in front of it has been read.
    (local.set $end (i32.sub (local.get $end) (i32.const 32)))
    (block $done
      (loop $block
        (br_if $done (i32.gt_s (local.get $at) (local.get $end)))
        (local.set $low (i8x16.sub (v128.load (local.get $at)) (i8x16.splat (i32.const 48))))
        (local.set $high (i8x16.sub (v128.load offset=16 (local.get $at)) (i8x16.splat (i32.const 48))))
        (local.set $commas (i32.or
          (i8x16.bitmask (i8x16.eq (local.get $low) (i8x16.splat (i32.const -4))))
          (i32.shl (i8x16.bitmask (i8x16.eq (local.get $high) (i8x16.splat (i32.const -4)))) (i32.const 16))))
        (local.set $spaces (i32.or
          (i8x16.bitmask (i8x16.eq (local.get $low) (i8x16.splat (i32.const -16))))
          (i32.shl (i8x16.bitmask (i8x16.eq (local.get $high) (i8x16.splat (i32.const -16)))) (i32.const 16))))
        (local.set $others (i32.and
          (i32.or
            (i8x16.bitmask (i8x16.gt_u (local.get $low) (i8x16.splat (i32.const 9))))
            (i32.shl (i8x16.bitmask (i8x16.gt_u (local.get $high) (i8x16.splat (i32.const 9)))) (i32.const 16)))
          (i32.xor (i32.const -1) (i32.or
            (local.get $commas)
            (i32.and (local.get $spaces) (i32.shl (local.get $commas) (i32.const 1)))))))
        ;; Only commas in front of the first other byte end an id.
        (if (local.get $others)
          (then (local.set $commas (i32.and (local.get $commas)
            (i32.sub (i32.and (local.get $others) (i32.sub (i32.const 0) (local.get $others))) (i32.const 1))))))
        (br_if $done (i32.eqz (local.get $commas)))
        (local.set $start (local.get $at))
        (loop $id
          (local.set $stop (i32.add (local.get $at) (i32.ctz (local.get $commas))))
          (local.set $digits (i32.sub (local.get $stop) (local.get $start)))
          (if (i32.or
              (i32.gt_u (i32.sub (local.get $digits) (i32.const 1)) (i32.const 7))
              (i32.and
                (i32.eq (i32.load8_u (local.get $start)) (i32.const 48))
                (i32.ne (local.get $digits) (i32.const 1))))
            (then
              (local.set $at (local.get $start))
              (br $done)))
          ;; The eight bytes that end with the last digit, those in front of the first one as zeros.
          (local.set $word (i64.and
            (i64.xor (i64.load (i32.sub (local.get $stop) (i32.const 8))) (i64.const 0x3030303030303030))
            (i64.shl (i64.const -1)
              (i64.extend_i32_u (i32.shl (i32.sub (i32.const 8) (local.get $digits)) (i32.const 3))))))
          (i32.store (local.get $out) (i32.wrap_i64 (call $eightDigits (local.get $word))))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))
          (local.set $start (i32.add (local.get $stop) (i32.const 1)))
          (local.set $start (i32.add (local.get $start)
            (i32.eq (i32.load8_u (local.get $start)) (i32.const 32))))
          (local.set $commas (i32.and (local.get $commas) (i32.sub (local.get $commas) (i32.const 1))))
          (br_if $id (local.get $commas)))
        (local.set $at (local.get $start))
        (br_if $block (i32.eqz (local.get $others)))))
    (i32.store (i32.const 0) (i32.shr_u (i32.sub (local.get $out) (i32.const 131072)) (i32.const 2)))
    (local.get $at))

  ;; Items of logprobs.content: objects of the members token, logprob, bytes and an empty top_logprobs, in any order, with
  ;; no white space. A token that is named by its id is not read. Stores each logprob as a double, NaN where it has none.
  ;; Returns where the first byte is that was not read.
  (func (export "logprobs") (param $at i32) (param $end i32) (result i32)
    (local $p i32) (local $byte i32) (local $mask i32) (local $out i32) (local $isBehindItem i32)
    (local $commas i32) (local $digits i32) (local $limit i32) (local $starts i32) (local $zeros i32)
    (local $isStart i32) (local $isZero i32)
    (local $name i64) (local $value f64) (local $chunk v128)
    (local.set $out (i32.const 131072))
    (block $done
      (loop $item
        (br_if $done (i32.gt_s (i32.add (local.get $at) (i32.const 64)) (local.get $end)))
        (br_if $done (i32.ne (i32.load8_u (local.get $at)) (i32.const 123)))
        (local.set $p (i32.add (local.get $at) (i32.const 1)))
        (local.set $value (f64.const nan))
        (loop $member
          (br_if $done (i32.ge_s (local.get $p) (local.get $end)))
          (local.set $name (i64.load (local.get $p)))
          (block $read
            ;; "token":
            (if (i64.eq (local.get $name) (i64.const 0x3a226e656b6f7422))
              (then
                (br_if $done (i32.ne (i32.load8_u offset=8 (local.get $p)) (i32.const 34)))
                ;; "token_id:7": hardly any other token has a colon there.
                (br_if $done (i32.eq (i32.load8_u offset=17 (local.get $p)) (i32.const 58)))
                (local.set $p (i32.add (local.get $p) (i32.const 9)))
                (loop $text
                  (br_if $done (i32.ge_s (local.get $p) (local.get $end)))
                  (local.set $chunk (v128.load (local.get $p)))
                  (local.set $mask (i8x16.bitmask (v128.or
                    (i8x16.eq (local.get $chunk) (i8x16.splat (i32.const 34)))
                    (i8x16.eq (local.get $chunk) (i8x16.splat (i32.const 92))))))
                  (if (i32.eqz (local.get $mask))
                    (then
                      (local.set $p (i32.add (local.get $p) (i32.const 16)))
                      (br $text)))
                  (local.set $p (i32.add (local.get $p) (i32.ctz (local.get $mask))))
                  (if (i32.ne (i32.load8_u (local.get $p)) (i32.const 34))
                    (then
                      (local.set $p (i32.add (local.get $p) (i32.const 2)))
                      (br $text))))
                (local.set $p (i32.add (local.get $p) (i32.const 1)))
                (br $read)))
            ;; "logprob":
            (if (i32.and
                (i64.eq (local.get $name) (i64.const 0x626f7270676f6c22))
                (i32.eq (i32.load16_u offset=8 (local.get $p)) (i32.const 0x3a22)))
              (then
                (local.set $p (call $number (i32.add (local.get $p) (i32.const 10))))
                (br_if $done (i32.eqz (local.get $p)))
                (local.set $value (f64.load (i32.const 8)))
                (br $read)))
            ;; "bytes":
            (if (i64.eq (local.get $name) (i64.const 0x3a22736574796222))
              (then
                (local.set $p (i32.add (local.get $p) (i32.const 8)))
                ;; null
                (if (i32.eq (i32.load (local.get $p)) (i32.const 0x6c6c756e))
                  (then
                    (local.set $p (i32.add (local.get $p) (i32.const 4)))
                    (br $read)))
                (br_if $done (i32.ne (i32.load8_u (local.get $p)) (i32.const 91)))
                (local.set $p (i32.add (local.get $p) (i32.const 1)))
                ;; []
                (if (i32.eq (i32.load8_u (local.get $p)) (i32.const 93))
                  (then
                    (local.set $p (i32.add (local.get $p) (i32.const 1)))
                    (br $read)))
                (local.set $isStart (i32.const 1))
                (local.set $isZero (i32.const 0))
                (loop $bytes
                  (br_if $done (i32.ge_s (local.get $p) (local.get $end)))
                  (local.set $chunk (v128.load (local.get $p)))
                  (local.set $commas (i8x16.bitmask (i8x16.eq (local.get $chunk) (i8x16.splat (i32.const 44)))))
                  (local.set $digits (i8x16.bitmask (i8x16.le_u
                    (i8x16.sub (local.get $chunk) (i8x16.splat (i32.const 48)))
                    (i8x16.splat (i32.const 9)))))
                  (local.set $mask (i32.xor (i32.or (local.get $commas) (local.get $digits)) (i32.const 0xffff)))
                  ;; Only what is in front of the first other byte counts.
                  (if (local.get $mask)
                    (then
                      (local.set $limit (i32.sub
                        (i32.and (local.get $mask) (i32.sub (i32.const 0) (local.get $mask))) (i32.const 1)))
                      (local.set $commas (i32.and (local.get $commas) (local.get $limit)))
                      (local.set $digits (i32.and (local.get $digits) (local.get $limit)))))
                  (local.set $starts (i32.or (i32.shl (local.get $commas) (i32.const 1)) (local.get $isStart)))
                  (local.set $zeros (i32.and (local.get $starts)
                    (i8x16.bitmask (i8x16.eq (local.get $chunk) (i8x16.splat (i32.const 48))))))
                  ;; A comma where a number should start, or a digit behind a leading zero.
                  (br_if $done (i32.or
                    (i32.and (local.get $starts) (local.get $commas))
                    (i32.and (local.get $digits)
                      (i32.or (i32.shl (local.get $zeros) (i32.const 1)) (local.get $isZero)))))
                  (if (i32.eqz (local.get $mask))
                    (then
                      (local.set $isStart (i32.shr_u (local.get $commas) (i32.const 15)))
                      (local.set $isZero (i32.and (i32.const 1) (i32.shr_u (local.get $zeros) (i32.const 15))))
                      (local.set $p (i32.add (local.get $p) (i32.const 16)))
                      (br $bytes))))
                (local.set $limit (i32.ctz (local.get $mask)))
                ;; A comma in front of the bracket.
                (br_if $done (i32.and (i32.const 1) (i32.shr_u (local.get $starts) (local.get $limit))))
                (local.set $p (i32.add (local.get $p) (local.get $limit)))
                (br_if $done (i32.ne (i32.load8_u (local.get $p)) (i32.const 93)))
                (local.set $p (i32.add (local.get $p) (i32.const 1)))
                (br $read)))
            ;; "top_logprobs":[]
            (br_if $done (i64.ne (local.get $name) (i64.const 0x676f6c5f706f7422)))
            (br_if $done (i64.ne (i64.load offset=8 (local.get $p)) (i64.const 0x5b3a2273626f7270)))
            (br_if $done (i32.ne (i32.load8_u offset=16 (local.get $p)) (i32.const 93)))
            (local.set $p (i32.add (local.get $p) (i32.const 17))))
          (local.set $byte (i32.load8_u (local.get $p)))
          (local.set $p (i32.add (local.get $p) (i32.const 1)))
          (br_if $member (i32.eq (local.get $byte) (i32.const 44)))
          (br_if $done (i32.ne (local.get $byte) (i32.const 125))))
        ;; What lies behind the window is not of this reply, or not of now.
        (br_if $done (i32.ge_s (local.get $p) (local.get $end)))
        (f64.store (local.get $out) (local.get $value))
        (local.set $out (i32.add (local.get $out) (i32.const 8)))
        (local.set $at (local.get $p))
        (if (i32.eq (i32.load8_u (local.get $p)) (i32.const 44))
          (then
            (local.set $at (i32.add (local.get $p) (i32.const 1)))
            (br $item)))
        (local.set $isBehindItem (i32.const 1))))
    (i32.store (i32.const 0) (i32.shr_u (i32.sub (local.get $out) (i32.const 131072)) (i32.const 3)))
    (i32.store (i32.const 4) (local.get $isBehindItem))
    (local.get $at))

  ;; The value of eight digits, the first one in the lowest byte, each from 0 to 9.
  (func $eightDigits (param $word i64) (result i64)
    (local.set $word (i64.add
      (i64.mul (local.get $word) (i64.const 10))
      (i64.shr_u (local.get $word) (i64.const 8))))
    (i64.shr_u
      (i64.add
        (i64.mul (i64.and (local.get $word) (i64.const 0x000000ff000000ff)) (i64.const 0x000f424000000064))
        (i64.mul
          (i64.and (i64.shr_u (local.get $word) (i64.const 16)) (i64.const 0x000000ff000000ff))
          (i64.const 0x0000271000000001)))
      (i64.const 32)))

  ;; Reads a number of at most some 18 digits behind its zeros and stores it at 8. Returns where it ends; 0 where it is spelled otherwise, or
  ;; where its last bit cannot be told here.
  (func $number (param $p i32) (result i32)
    (local $isNegative i32) (local $digits i32) (local $decimals i32) (local $byte i32) (local $start i32)
    (local $exponent i32) (local $isSmall i32)
    (local $mantissa i64) (local $word i64) (local $bits i64)
    (local $high f64) (local $low f64) (local $power f64) (local $powerLow f64)
    (local $quotient f64) (local $product f64) (local $productLow f64)
    (local $a f64) (local $b f64) (local $c f64) (local $d f64)
    (local $correction f64) (local $value f64) (local $half f64) (local $off f64)
    (if (i32.eq (i32.load8_u (local.get $p)) (i32.const 45))
      (then
        (local.set $isNegative (i32.const 1))
        (local.set $p (i32.add (local.get $p) (i32.const 1)))))
    ;; The digits before the point: nearly always one.
    (local.set $start (local.get $p))
    (block $point
      (loop $digit
        (local.set $byte (i32.sub (i32.load8_u (local.get $p)) (i32.const 48)))
        (br_if $point (i32.gt_u (local.get $byte) (i32.const 9)))
        (local.set $mantissa (i64.add
          (i64.mul (local.get $mantissa) (i64.const 10)) (i64.extend_i32_u (local.get $byte))))
        (local.set $p (i32.add (local.get $p) (i32.const 1)))
        (br_if $digit (i32.le_s (i32.sub (local.get $p) (local.get $start)) (i32.const 9)))))
    (local.set $digits (i32.sub (local.get $p) (local.get $start)))
    (if (i32.or
        (i32.gt_u (i32.sub (local.get $digits) (i32.const 1)) (i32.const 8))
        (i32.and (i32.gt_s (local.get $digits) (i32.const 1))
          (i32.eq (i32.load8_u (local.get $start)) (i32.const 48))))
      (then (return (i32.const 0))))
    (if (i32.eq (i32.load8_u (local.get $p)) (i32.const 46))
      (then
        (local.set $p (i32.add (local.get $p) (i32.const 1)))
        (local.set $start (local.get $p))
        (block $notEight
          (loop $eight
            (local.set $word (i64.xor (i64.load (local.get $p)) (i64.const 0x3030303030303030)))
            (br_if $notEight (i64.ne (i64.const 0) (i64.and (i64.const 0xf0f0f0f0f0f0f0f0)
              (i64.or (local.get $word) (i64.add (local.get $word) (i64.const 0x0606060606060606))))))
            ;; Beyond 2^63 / 10^8 the next eight do not fit in.
            (if (i64.ge_u (local.get $mantissa) (i64.const 92233720368)) (then (return (i32.const 0))))
            (local.set $mantissa (i64.add
              (i64.mul (local.get $mantissa) (i64.const 100000000)) (call $eightDigits (local.get $word))))
            (local.set $p (i32.add (local.get $p) (i32.const 8)))
            (br $eight)))
        (block $noDigit
          (loop $digit
            (local.set $byte (i32.sub (i32.load8_u (local.get $p)) (i32.const 48)))
            (br_if $noDigit (i32.gt_u (local.get $byte) (i32.const 9)))
            (if (i64.ge_u (local.get $mantissa) (i64.const 922337203685477580)) (then (return (i32.const 0))))
            (local.set $mantissa (i64.add
              (i64.mul (local.get $mantissa) (i64.const 10)) (i64.extend_i32_u (local.get $byte))))
            (local.set $p (i32.add (local.get $p) (i32.const 1)))
            (br $digit)))
        (local.set $decimals (i32.sub (local.get $p) (local.get $start)))
        (if (i32.eqz (local.get $decimals)) (then (return (i32.const 0))))))
    ;; e-07
    (if (i32.eq (i32.or (i32.load8_u (local.get $p)) (i32.const 32)) (i32.const 101))
      (then
        (if (i32.ne (i32.load8_u offset=1 (local.get $p)) (i32.const 45)) (then (return (i32.const 0))))
        (local.set $p (i32.add (local.get $p) (i32.const 2)))
        (local.set $start (local.get $p))
        (block $noDigit
          (loop $digit
            (local.set $byte (i32.sub (i32.load8_u (local.get $p)) (i32.const 48)))
            (br_if $noDigit (i32.gt_u (local.get $byte) (i32.const 9)))
            (local.set $exponent (i32.add (i32.mul (local.get $exponent) (i32.const 10)) (local.get $byte)))
            (local.set $p (i32.add (local.get $p) (i32.const 1)))
            (br_if $digit (i32.le_s (i32.sub (local.get $p) (local.get $start)) (i32.const 3)))))
        (if (i32.or (i32.eq (local.get $p) (local.get $start)) (i32.gt_s (local.get $exponent) (i32.const 40)))
          (then (return (i32.const 0))))
        (local.set $decimals (i32.add (local.get $decimals) (local.get $exponent)))))
    (if (i32.gt_s (local.get $decimals) (i32.const 40)) (then (return (i32.const 0))))

    ;; The power of ten is the sum of two doubles; the second one is 0 up to 10^22.
    (local.set $start (i32.shl (local.get $decimals) (i32.const 4)))
    (local.set $power (f64.load offset=64 (local.get $start)))
    (local.set $powerLow (f64.load offset=72 (local.get $start)))
    (local.set $high (f64.convert_i64_u (local.get $mantissa)))
    (local.set $value (f64.div (local.get $high) (local.get $power)))
    ;; Both exact: then one division rounds once, as it must (W. D. Clinger, 1990). So it does with nothing but a zero.
    (local.set $isSmall (i32.and
      (i64.le_u (local.get $mantissa) (i64.const 9007199254740992))
      (i32.le_s (local.get $decimals) (i32.const 22))))
    (if (i32.eqz (i32.or (local.get $isSmall) (i64.eqz (local.get $mantissa))))
      (then
        ;; The quotient and what it leaves over, in twice the precision (T. J. Dekker, 1971). The remainder is nearly
        ;; exact, so the sum is the right double unless the quotient lies next to the middle between two of them.
        (local.set $low (f64.convert_i64_s (i64.sub
          (local.get $mantissa) (i64.trunc_sat_f64_u (local.get $high)))))
        (local.set $quotient (local.get $value))
        (local.set $product (f64.mul (local.get $quotient) (local.get $power)))
        (local.set $c (f64.mul (local.get $quotient) (f64.const 134217729)))
        (local.set $a (f64.sub (local.get $c) (f64.sub (local.get $c) (local.get $quotient))))
        (local.set $b (f64.sub (local.get $quotient) (local.get $a)))
        (local.set $d (f64.mul (local.get $power) (f64.const 134217729)))
        (local.set $c (f64.sub (local.get $d) (f64.sub (local.get $d) (local.get $power))))
        (local.set $d (f64.sub (local.get $power) (local.get $c)))
        (local.set $productLow (f64.add
          (f64.add
            (f64.add
              (f64.sub (f64.mul (local.get $a) (local.get $c)) (local.get $product))
              (f64.mul (local.get $a) (local.get $d)))
            (f64.mul (local.get $b) (local.get $c)))
          (f64.mul (local.get $b) (local.get $d))))
        (local.set $correction (f64.div
          (f64.add
            (f64.sub (f64.sub (local.get $high) (local.get $product)) (local.get $productLow))
            (f64.sub (local.get $low) (f64.mul (local.get $quotient) (local.get $powerLow))))
          (local.get $power)))
        (local.set $value (f64.add (local.get $quotient) (local.get $correction)))
        (local.set $off (f64.abs (f64.sub
          (local.get $correction) (f64.sub (local.get $value) (local.get $quotient)))))
        (local.set $bits (i64.reinterpret_f64 (local.get $value)))
        ;; Half the distance to the next double.
        (local.set $half (f64.mul
          (f64.reinterpret_i64 (i64.and (local.get $bits) (i64.const 0x7ff0000000000000)))
          (f64.const 0x1p-53)))
        (if (i32.or
            ;; Below a power of two the doubles are closer.
            (i64.eqz (i64.and (local.get $bits) (i64.const 0x000fffffffffffff)))
            (f64.le
              (f64.abs (f64.sub (local.get $off) (local.get $half)))
              (f64.mul (local.get $half) (f64.const 0x1p-30))))
          (then (return (i32.const 0))))))
    (f64.store (i32.const 8)
      (if (result f64) (local.get $isNegative)
        (then (f64.neg (local.get $value)))
        (else (local.get $value))))
    (local.get $p)))
