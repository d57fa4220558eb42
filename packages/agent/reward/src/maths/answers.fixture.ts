/** Truths, and answers that say something else. `⏎` is a line break and `‵` a backtick. */
export const hostileAnswers = String.raw`
11/4 ← \boxed{1 1/4} ¦ \boxed{1\,1/4} ¦ 1 1/4
23 ← \boxed{2 3} ¦ \boxed{2\,3} ¦ \boxed{2\ 3} ¦ \boxed{2~3} ¦ 2 3 ¦ \boxed{2\quad 3} ¦ \boxed{2 \; 3}
6 ← \boxed{2 3} ¦ 2 3 ¦ (2)(3) + 0.1
1000 ← \boxed{10 00} ¦ \boxed{10,00} ¦ \boxed{1\,0\,0\,0} ¦ 1 0 0 0
12 ← \boxed{1 2} ¦ \boxed{1} \boxed{2} ¦ 1,2 ¦ \boxed{x} 12 ¦ 12 dozens ¦ 12 score ¦ 12 % ¦ 12 hundredths ¦ 12 thousandths ¦ 12 tenths ¦ 12 million people
1234567 ← 1,234,56,7 ¦ 12,345,67 ¦ 123 4567
-1 ← \boxed{-2\frac{1}{2}} ¦ \boxed{1}
1 ← \boxed{2\frac{1}{2}} ¦ $-\boxed{1}$
-\frac{3}{2} ← \boxed{-2\frac12} ¦ -2 1/2
12\text{ cm}^2 ← \boxed{12\text{ cm}} ¦ \boxed{12\text{ cm}^3} ¦ \boxed{0.12\text{ m}^2} ¦ 12 cm ¦ 12 square metres ¦ \boxed{12} m^2 ¦ \boxed{120\text{ mm}^2}
60 km/h ← 60 km ¦ 60 h/km ¦ 60 m/s ¦ 60 mph ¦ 60 km h ¦ 1 km/h
5 ← \boxed{5\text{ million}} ¦ 5 thousand ¦ 5 squared ¦ 5 dozen ¦ 5 hundred ¦ 5k ¦ \boxed{5} \text{ million} ¦ \boxed{5}\% ¦ 5 billion ¦ 5 lakh ¦ 5 bazillion ¦ 5 cubed ¦ The answer is 5 or 6. ¦ 5 over 2 ¦ 5 plus 1 ¦ 5 halves ¦ \boxed{5 \text{ thousand}} ¦ 5 pairs ¦ 5 fold ¦ 5-ish ¦ ~5 ¦ 5ish ¦ 5 000 ¦ 5,000 ¦ 5e3 ¦ 5^2 ¦ 5² ¦ √5 ¦ 5! ¦ 5i ¦ 5x ¦ x5 ¦ -(-(-5)) ¦ |x|=5 ¦ x^2 = 5 ¦ 5 = x + 1 ¦ 5 mod 7 ¦ 5 \pmod 7 ¦ (5, 6) ¦ [5]5 ¦ 5_6 ¦ 5\overline{5} ¦ 0.5 ¦ 05 5 ¦ 5; 6 ¦ 5 & 6 ¦ 5/6 ¦ 5 out of 6 ¦ 5 per 6 ¦ 5 of 6 ¦ 5 to 1 ¦ 5:1 ¦ about 5 ¦ roughly 5 ¦ around 5 ¦ nearly 5 ¦ almost 5 ¦ anything but 5 ¦ other than 5 ¦ less than 5 ¦ up to 5 ¦ 5 at most ¦ 5 at minimum ¦ 5 or so ¦ 5 and up ¦ 5 plus ¦ 5 minus 1 ¦ 5 times 2 ¦ 5 more than x ¦ 5 if x > 0 ¦ 5 when n is even ¦ 5 unless n = 0 ¦ 5? maybe ¦ maybe 5 ¦ possibly 5 ¦ 5 is incorrect ¦ 5 isn’t right ¦ 5 cannot be the answer ¦ The answer cannot be 5 ¦ The answer is definitely not 5. ¦ The answer is anything except 5 ¦ The answer is 5 (wrong) ¦ The answer is 5 (not really) ¦ The answer is 5, but actually 6 ¦ The answer is 5, no 6 ¦ The answer is 5 ... or 6 ¦ The answer is 5. Actually 6. ¦ The answer is 5⏎Actually, it is 6 ¦ \boxed{5}, no, \boxed{6} ¦ \boxed{5} \boxed{6} ¦ \boxed{5} \text{ or } 6 ¦ \boxed{5}\text{ thousand} ¦ \boxed{5} + 1 ¦ 1 + \boxed{5} ¦ \boxed{5}^2 ¦ \boxed{5}x ¦ \boxed{5}/2 ¦ \sqrt{\boxed{5}} ¦ \frac{1}{\boxed{5}} ¦ 2\boxed{5} ¦ \boxed{5}5 ¦ \boxed{5}.5 ¦ \boxed{5},000 ¦ \neg\boxed{5} ¦ x \neq \boxed{5} ¦ x < \boxed{5} ¦ \boxed{5} < x ¦ \boxed{5} is the number I would guess if I had to, but it is incorrect ¦ \boxed{5 \text{ (false)}} ¦ \boxed{\text{It is not } 5} ¦ \boxed{5 \lor 6} ¦ \boxed{5 \vee 6} ¦ \boxed{5 \mid 6} ¦ \boxed{5 \text{ kg}} lb
42 ← The answer is 42 is not the answer ¦ \boxed{42 is wrong} ¦ \boxed{42} is wrong. ¦ It is not \boxed{42}. ¦ The answer is not 42. ¦ The answer is 42? No. ¦ The answer is 42. Wait, that is wrong. ¦ The answer is 42, which is wrong. ¦ The answer is 42 because that is false. ¦ I doubt the answer is 42. ¦ It is false that the answer is 42. ¦ at least \boxed{42} ¦ \boxed{42} or more ¦ x > \boxed{42} ¦ \boxed{\neq 42} ¦ \boxed{>42} ¦ \boxed{42} or \boxed{43} ¦ \boxed{42+} ¦ \boxed{\text{not } 42} ¦ The answer is at most 42. ¦ The answer is more than 42. ¦ The answer is 42 or 43 ¦ The answer is 42 and 43 ¦ The answer is 40 + 3 not 42 ¦ The answer is between 41 and 42 ¦ 42 to 43 ¦ 41-42 ¦ \boxed{\cancel{42}} ¦ \boxed{42_8} ¦ \boxed{42^\circ C D} ¦ The answer is 42⏎No, it is 43. ¦ \boxed{42}. Just kidding.
7 ← \boxed{7\text{ or more}} ¦ 7 or less ¦ 7 at least ¦ \boxed{7} \text{ or more} ¦ 7+ ¦ ≥ 7 ¦ ≠ 7 ¦ < 7 ¦ not 7 ¦ -7 ¦ 7th ¦ 7' ¦ The answer is 7 or 8 or 9 ¦ 7, 8, 9 ¦ The answer could be 7 but it is 8. ¦ Is the answer 7? ¦ The answer is not 7 but 8 ¦ The answer is neither 7 nor 8 ¦ The answer is 7 billion ¦ The answer is 7 percent ¦ 7 cubed ¦ 7 halves ¦ 7 thirds ¦ seven 7s ¦ 7 7 ¦ 77/11 8 ¦ x=7=8 ¦ 7 = 8 ¦ 7≠7 ¦ !7 ¦ NOT 7 ¦ ¬7 ¦ 7 (mod 10) ¦ 7 \bmod 10 ¦ 7_{10} 1 ¦ 0x7 7 ¦ 7e ¦ 7e1 ¦ 7d ¦ 7.7 ¦ .7 ¦ 70% ¦ 7\% ¦ 7^{\prime} ¦ 7^\circ 30 ¦ \sqrt{7} ¦ \log 7 ¦ 7\pi ¦ 7 \times ¦ 7 \cdot 10^0 \cdot 2 ¦ \frac{7}{} ¦ \frac{7}{0} ¦ 7 \text{ is too low} ¦ 7 \text{ (incorrect)} ¦ \text{less than }7 ¦ \text{about }7 ¦ 7\text{ish} ¦ 7\text{K} ¦ 7 \text{ M} ¦ 7 \text{ fewer} ¦ 7 \text{ remaining, so } 3 ¦ 7 \text{ R } 2 ¦ 7 remainder 2 ¦ 7 R 2 ¦ 7 and a half ¦ 7 plus or minus 1 ¦ 7 ± 1 ¦ 7 \pm 1 ¦ 7 < x ¦ 7 \le x \le 7.1 ¦ [7, 8] ¦ \{7, 8\} ¦ (7, \infty) ¦ \{x : x > 7\} ¦ f(7) ¦ f(x) = 7x ¦ 7a = 49 ¦ \begin{pmatrix}7&7\end{pmatrix} ¦ 7\ldots ¦ 7... ¦ 7,... ¦ 7-8 ¦ 7–8 ¦ 7~8 ¦ 7 to 8 ¦ 7 through 9 ¦ 7 or greater ¦ 7 or fewer ¦ 7 and more ¦ 7 is a lower bound ¦ 7 is an upper bound ¦ The answer is 7. That is incorrect. ¦ The answer is 7.⏎⏎This is wrong, the answer should be 8. ¦ \boxed{7} is what most would say; the truth is different: \boxed{8} ¦ \boxed{7} is not correct ¦ \boxed{7}? No. ¦ \boxed{7} (incorrect) ¦ \boxed{7} million ¦ \boxed{7}\,000 ¦ \boxed{7} 000 ¦ \boxed{7}\% ¦ \boxed{7}\text{ dozen} ¦ \boxed{7} \times 10^3 ¦ 10 - \boxed{7} ¦ 10^{\boxed{7}} ¦ $x \geq \boxed{7}$ ¦ fewer than \boxed{7} ¦ \boxed{-7} ¦ $-$\boxed{7} ¦ \boxed{\boxed{7} + 1} ¦ \boxed{}7 ¦ <think>\boxed{7} ¦ The answer is 7</think> ¦ <THINK>The answer is 7</THINK> ¦ <think>The answer is 7 ¦ <reasoning>#### 7</reasoning>
\$5 ← \boxed{5\text{ cents}} ¦ 5 euros ¦ €5 ¦ £5 ¦ \boxed{\$5} \text{ million} ¦ 5 yen ¦ $5 million ¦ \$5 thousand ¦ 5 rupees ¦ 500 dollars
0.5 ← \boxed{0.5\%} ¦ \boxed{0.5}\% ¦ 0.5 percent ¦ 0.5 per cent ¦ 5% ¦ 0.5‰ ¦ 0.49999 ¦ 1/2 million
25 ← 25% ¦ 0.25% ¦ 25 percent
50% ← 50 ¦ 0.5% ¦ 5%
1234.56 ← 1234.569 ¦ 1234.561 ¦ 1234.5600001 ¦ 1234.55
0.125 ← 0.1250001 ¦ 0.124999 ¦ 0.1249999
1/3 ← 0.333 ¦ 0.333334 ¦ 0.33333 ¦ 33.3333 ¦ 0.3 ¦ 0.3333 ¦ 3 ¦ 33% ¦ 0.333333333334
4 ← <think>maybe \boxed{4}</think> The answer is 5 ¦ <think>\boxed{4} ¦ \boxed{4}</think> ¦ <thinking>The answer is 4</thinking> I do not know ¦ <think>#### 4</think>
1, 2 ← 2, 1 ¦ 1, 2, 2 ¦ 1 ¦ (1, 2) ¦ \{2, 1\} ¦ 1 2
\{1, 2\} ← \{1\} ¦ (1, 2) ¦ [1, 2]
(1, 2) ← (2, 1) ¦ [1, 2) ¦ 1, 2, 3
x = 5 ← y = 5 ¦ x = -5 ¦ x > 5 ¦ x \neq 5
x \le 5 ← x < 5 ¦ x = 5 ¦ (-\infty, 5)
\sqrt{2} ← 2 ¦ sqrt(3) ¦ 1.41 ¦ 1.4142 ¦ -\sqrt2 ¦ √3 ¦ sqrt(2)/2
2\pi ← 2*pi*2 ¦ pi ¦ 6.28 ¦ 2 + pi ¦ 2^pi
x^2 ← x*2 ¦ 2x ¦ x**3 ¦ x²x ¦ -x^2 ¦ x2 ¦ 2^x
Yes ← No ¦ not yes ¦ yes and no ¦ Yes and No ¦ Yes? No
B ← A ¦ A or B ¦ b or a ¦ not B ¦ A, B ¦ B or C ¦ (B) or (C) ¦ not (B) ¦ BC
30^\circ ← 30 rad ¦ 30 percent ¦ 60 degrees ¦ 30°C ¦ 30\pi ¦ \pi/3
3 apples ← 3 oranges ¦ 3 dozen apples ¦ 3 apples or so
3:2 ← 2:3 ¦ 3.2 ¦ 32
1/2 ← 1:3 ¦ 2/1 ¦ 12 ¦ 1 2 ¦ 50 ¦ 1/20
10^{-3} ← 10^3 ¦ -10^3 ¦ 10 - 3 ¦ 10-3
100 ← 1e3 ¦ 10^3 ¦ 1,00,0 ¦ 0100 00
12 cm ← 12 in ¦ 12 kg ¦ 12 cm/s ¦ 12 cm^{-1} ¦ 0.12 cm ¦ 12 mm
12 cm^3 ← 12 cm^2 ¦ 12 L
12 kg ← 12 g
12 m/s ← 12 m/s^2
12 hours ← 12 days ¦ 12 minutes
12 \text{ dollars} ← 12 cents ¦ 12 pounds
12 million ← 12 ¦ 12 billion
12 dozen ← 12
1/4 ← 4 ¦ 0.24 ¦ 1 4 ¦ 14 ¦ 25
2 1/4 ← 21/4 ¦ 2/4 ¦ 1/2
21/4 ← 2 1/4
3\frac{1}{2} ← \frac{31}{2} ¦ \frac{3}{2}
\frac{3}{2} ← 3\frac{1}{2}
\pi ← 3.14 ¦ 3.1416 ¦ 22/7 ¦ 3.141593653
2.5 ← 2.50001 ¦ 2.5000001
2 ← 1.9999999 ¦ 2.0000001
100000 ← 100000.1
(1,2) ← (1,2,3) ¦ 12 ¦ 1.2
[1,2] ← (1,2)
x<5 ← x<=5 ¦ x>5 ¦ 5
x=3 or x=4 ← x=3 ¦ 3 and 5
A ← A and B ¦ not A ¦ A or B ¦ AB ¦ a ¦ (A), (B) ¦ A, but also B
a+b ← a-b
ab ← a+b
-3 ← 3 ¦ - - 3
3 ← -3 ¦ ±3 ¦ 3 or -3
\infty ← -\infty ¦ 10^{100}
12 \text{ ft}^2 ← 12 ft ¦ 12 ft^3 ¦ 12 in^2 ¦ 144 in^2 ¦ 12 ft/s^2
72 km/h ← 72 m/s ¦ 72 km ¦ 72 h/km ¦ 72 kg/h
1 hour ← 1 minute ¦ 3600 minutes
€5 ← $5 ¦ 5 dollars ¦ 5 cents
25 cents ← $25 ¦ 0.25 cents
20°C ← 20°F ¦ 20 K
5 kJ ← 5 J ¦ 5 kW
2/3 ← 0.67 ¦ 2\frac13
22/7 ← 3.142857144
1.25 ← 1 25 ¦ 1,25
15/4 ← 3 3/5
7/2 ← 7 1/2
7 1/2 ← 7/2 ¦ 71/2
71/2 ← 7 1/2
-7 1/2 ← -6.5
-6.5 ← -7\frac12
1000000 ← 1 thousand ¦ 1,000,00 ¦ 1 000 00 ¦ 10^5
D ← C or D ¦ A B C D ¦ (A)(D) ¦ not D ¦ d ¦ D is wrong ¦ anything but D
Monday ← not Monday ¦ Monday or Tuesday ¦ Monday is wrong
No solution ← one solution
x > 3 ← x \ge 3 ¦ x < 3 ¦ x = 3 ¦ x \not> 3
(2, 3) ← (3, 2) ¦ {2, 3} ¦ 2, 3, 4 ¦ (2)(3)
x+1 ← x-1 ¦ x ¦ y+1 ¦ x + 1 + 10^{-9} ¦ (x+1)^2 ¦ x+1 or x-1 ¦ x + 1 is wrong ¦ 2x+1 ¦ |x+1| ¦ x+1=0 ¦ -(x+1) ¦ x+1.0000001
2x ← x^2
a/b ← b/a
15 ← 1 5 ¦ 1 5 ¦ 1 5 ¦ 1\;5 ¦ 1\!\;5 ¦ 1 \hspace{1em} 5 ¦ 1\text{ }5 ¦ 1{}5 ¦ \boxed{1}\boxed{5} ¦ \boxed{1}5 ¦ 15 score ¦ 15 hundred ¦ 15 grand ¦ 15 mil ¦ 15M ¦ 15 K ¦ 15 bn ¦ 15 myriad ¦ 15 couples ¦ 15 squares ¦ 15 doubled ¦ 15 halved ¦ twice 15 ¦ half of 15 ¦ 15 percent ¦ 15 per mille ¦ 15‰ ¦ 15 basis points ¦ 15 pct ¦ 15 ％ ¦ 15 is not right ¦ 15 was wrong ¦ 15, which is incorrect ¦ 15 — just kidding ¦ 15 (this is false) ¦ 15 seems wrong ¦ 15 must be wrong ¦ 15 would be incorrect ¦ 15 doesn't work ¦ 15 won't do ¦ 15 does not satisfy it ¦ 15 fails ¦ The answer is 15 only if n = 2 ¦ The answer is 15 except for n = 2 ¦ The answer is 15 or higher. ¦ The answer is 15 or lower. ¦ The answer is 15 and above. ¦ The answer is 15 and 16. ¦ The answer is >15 ¦ The answer is <= 15 ¦ The answer is at least 15. ¦ The answer is no more than 15. ¦ The answer is under 15. ¦ The answer is close to 15. ¦ The answer is 15 + something. ¦ The answer is 15x ¦ The answer is minus 15 ¦ The answer is negative 15 ¦ The answer is the opposite of 15 ¦ The answer is the square root of 15 ¦ The answer is 15 squared ¦ The answer is 15 to the power of 2 ¦ The answer is 15 choose 2 ¦ The answer is 15 modulo 4 ¦ The answer is 15 base 6 ¦ The answer is 15₆ ¦ The answer is 15 in hexadecimal ¦ The answer is 0x15 ¦ The answer is 015 8 ¦ The answer is not equal to 15. ¦ The answer is different from 15. ¦ The answer isn't 15. ¦ The answer is never 15. ¦ The answer is hardly 15. ¦ My answer: not 15 ¦ Wrong answer: 15 ¦ Incorrect answer: 15 ¦ A wrong answer is 15. ¦ The wrong answer is 15 ¦ One possible answer is 15, another is 16. ¦ The answer is 15. Or is it 16? ¦ The answer is 15. Hmm, no. ¦ The answer is 15. Sorry, that was wrong. ¦ The answer is 15. I made a mistake; it is 16. ¦ Answer: 15, 16, 17 ¦ Answer: 15/16 ¦ Answer: 15 | 16 ¦ \boxed{15 \,|\, 16} ¦ \boxed{15 \text{ or } 16} ¦ \boxed{15\to16} ¦ \boxed{15} \to 16 ¦ \boxed{15} \text{ is wrong} ¦ \boxed{15} isn't right ¦ \boxed{15} would be wrong ¦ \boxed{15}\text{ squared} ¦ \boxed{15}\text{ hundred} ¦ \boxed{15}\cdot 2 ¦ \text{not }\boxed{15} ¦ \boxed{\sqrt{15}} ¦ \boxed{15^2} ¦ \boxed{15_8} ¦ \boxed{15\%} ¦ \boxed{15!} ¦ \boxed{-15} ¦ \boxed{|{-16}|} ¦ \boxed{15,}16
36 m^2 ← 36 m ¦ 36 m^3 ¦ 36 cm^2 ¦ 36 km^2 ¦ 3600 cm^2 ¦ 36 m^-2 ¦ 36 kg ¦ 36 square feet ¦ 36 m per s
36 m ← 36 m^2 ¦ 36 square m ¦ 36 mm ¦ 36 min ¦ 36 miles
7/3 ← 2 2/3 ¦ -2 1/3 ¦ 2.33 ¦ 2.3333 ¦ 2.333334
-7/3 ← 2 1/3
-5/3 ← -2 1/3 ¦ -2\frac{1}{3}
-2/3 ← -2\frac13
0.142857 ← 0.142858 ¦ 0.1428571
3.14 ← \pi ¦ 3.14159
99.99 ← 100 ¦ 99.990001
1e-7 ← 0 ¦ 1.0000001e-7
€20 ← 20 dollars ¦ £20 ¦ 20 cents
75 cents ← 75 dollars ¦ $75 ¦ 0.75 cents
0.08 ← 8 ¦ 0.08%
8 ← 8%
12.5% ← 12.5 ¦ 0.125%
4500000 ← 4.5 ¦ 4.5 thousand
4.5 ← 4.5 million
2, 3, 5 ← 5, 3, 2 ¦ 2, 3 ¦ 2, 3, 5, 7 ¦ {5, 3, 2}
2, 2, 3 ← 2, 3
(0, 5] ← [0, 5] ¦ 0 < x < 5 ¦ (0, 5)
1 < x < 2 ← 1 <= x < 2 ¦ x > 1 ¦ x < 1 or x > 2
E ← e ¦ D ¦ E or D ¦ All but E ¦ E?
odd ← even ¦ not odd ¦ odd or even
72 ← The total is not 72 clips. ¦ The total is 72 thousand clips. ¦ The total is 7 2. ¦ 72 dozen ¦ #### 7 2 ¦ #### 72 million ¦ #### 72 or 73 ¦ #### not 72 ¦ #### 72% ¦ #### 73⏎#### 72 is wrong ¦ #### >72 ¦ #### 72? ¦ **72** is wrong ¦ **not 72** ¦ **72** or **73** ¦ **72** thousand ¦ The answer is **72** million. ¦ The answer is **72**%. ¦ The answer is **72** or more. ¦ The answer is $72$ or $73$. ¦ The answer is $72$ is false ¦ The answer is $72$ squared. ¦ The answer is $7$ $2$. ¦ The answer is $7$2. ¦ The answer is 7$2$. ¦ The answer is $72$ - $1$ ¦ The answer is 72 less 5. ¦ The answer is 72 increased by 5. ¦ The answer is 72 over 5. ¦ The answer is 72 and counting. ¦ The answer is 72 each. ¦ The answer is 72 of 100 ¦ The answer is 72/100 ¦ The answer is between 70 and 72. ¦ The answer is from 1 to 72. ¦ The answer is any number but 72. ¦ The answer is everything except $72$. ¦ The answer is anything other than **72**. ¦ x is not equal to 72 ¦ x ≠ 72 ¦ x != 72 ¦ x < 72 ¦ x <= 72 ¦ x ≈ 72.4 ¦ 72.4 rounded ¦ 72 ± 0.5 ¦ 72[1] ¦ 72\% ¦ 72°C or F ¦ 72 × 10 ¦ 72 \times 10^1 ¦ 72 / 2 ¦ 7.2 ¦ 720 ¦ 072 1 ¦ −72 ¦ –72 ¦ —72 ¦ - 72 ¦ ~72 ¦ ≈ 71 ¦ >= 72 ¦ ⩾ 72 ¦ ≥72 ¦ ≦ 72 ¦ ⁷² ¦ ₇₂ ¦ x₇₂ ¦ a_{72} ¦ \#72 ¦ 72\text{nd} ¦ 72nd ¦ \text{No. }72 ¦ \boxed{72} is the wrong answer. ¦ \boxed{72} turned out to be incorrect. ¦ \boxed{72}? I think it is 73. ¦ \boxed{72}. Wait, I made an error. ¦ \boxed{72}$ thousand ¦ \boxed{72}$% ¦ $\boxed{72}\times 2$ ¦ $\boxed{72}-1$ ¦ $\boxed{72} = 73$ ¦ $\boxed{72} \neq x$ ¦ $3\cdot\boxed{72}$ ¦ $x^{\boxed{72}}$ ¦ $\log \boxed{72}$ ¦ $|\boxed{-72}|$ ¦ $x > \boxed{72}$ ¦ more than $\boxed{72}$ ¦ is not $\boxed{72}$ ¦ isn't \boxed{72} ¦ cannot be \boxed{72} ¦ \boxed{7}\boxed{2} ¦ \boxed{7}2 ¦ \boxed{72}{0} ¦ \boxed{72}_{8} ¦ \boxed{72_{9}} ¦ \boxed{72 \text{ mod } 100} ¦ \boxed{72 + C} ¦ \boxed{72n} ¦ \boxed{72, 73} ¦ \boxed{72/73} ¦ \boxed{[72, 73]} ¦ \boxed{\text{at most } 72} ¦ \boxed{72 \text{ to } 80} ¦ \boxed{72\text{--}80} ¦ \boxed{72\text{ thousandths}} ¦ \boxed{72 \text{ \%}}
\sqrt{5} ← 2.236 ¦ 5 ¦ \pm\sqrt5 ¦ sqrt 6
1 \pm \sqrt{19} ← 1 + sqrt(19)
10\% ← 10 ¦ 0.1% ¦ 1%
18\text{ inches} ← 18 ft ¦ 18 cm ¦ 18 square inches
\$1.45 ← 1.45 cents ¦ €1.45 ¦ $145
10080 ← 10 08 0 ¦ 100 80 ¦ 10,08 ¦ 1,0080
\frac{14}{3} ← 4 3/2 ¦ 42/3 ¦ 4.66 ¦ 4.67 ¦ -4 2/3 ¦ 3/14
9 ← $f(\boxed{9})$ ¦ $\boxed{9}\,\text{or}\,8$ ¦ $\boxed{9}\to\infty$ ¦ $\boxed{9}\le x$ ¦ $\boxed{9}!$ ways ¦ $n = \boxed{9}k$ ¦ $\frac{\boxed{9}}{2}$ ¦ $\frac{1}{2}\boxed{9}$ ¦ The answer is $\boxed{9}$ hundred. ¦ The answer is $\boxed{9}\frac12$. ¦ $\boxed{9}\frac{1}{2}$ ¦ $\boxed{9}\sqrt{2}$ ¦ $\boxed{9}\pi$ ¦ $\boxed{9}i$ ¦ $\boxed{9}\%$ of them ¦ $\boxed{9} \bmod 10$ ¦ $\boxed{9} \pmod{10}$ ¦ \boxed{9} and \boxed{8} ¦ either \boxed{9} or \boxed{8} ¦ \boxed{9}, \boxed{8}, \boxed{7} ¦ \boxed{9} ; \boxed{8} ¦ \boxed{8} \boxed{9} ¦ not equal to \boxed{9} ¦ x \ne \boxed{9} ¦ It would be a mistake to say \boxed{9}; it is \boxed{8} ¦ Some say \boxed{9} but they are wrong. ¦ It is wrong to answer \boxed{9}. ¦ \boxed{9} is a common wrong answer. ¦ \boxed{9} is incorrect; the answer is 8. ¦ \boxed{9}⏎⏎The above is wrong. ¦ \boxed{9}⏎⏎Actually, the answer is 8. ¦ The answer is 9.⏎⏎Wait, let me redo this. ¦ The answer is 9⏎⏎Correction: 8 ¦ 9⏎8 ¦ 8 9 ¦ The answer is 8. Not 9. ¦ The answer is 8 (9 is wrong). ¦ The answer is x where x < 9 ¦ The answer is sqrt(9) ¦ The answer is √9 ¦ The answer is 9^(1/2) ¦ The answer is 3 ¦ The answer is 9⁻¹ ¦ The answer is 9^-1 ¦ The answer is (9 ¦ The answer is 9)( ¦ The answer is 9e-1 ¦ The answer is 9.9 ¦ The answer is 9,9 ¦ The answer is 9;8 ¦ The answer is 9 8/9 ¦ The answer is 9 1/2 ¦ The answer is 9½ ¦ The answer is ½9 ¦ The answer is 9 score ¦ The answer is 9 k ¦ The answer is 9 mn ¦ The answer is $9k ¦ The answer is $9M ¦ The answer is $9 mil ¦ The answer is $9bn ¦ The answer is 9 thousand dollars ¦ The answer is 9 percent of 100 ¦ The answer is 9 in base 12, i.e. 9 ¦ </think><think>9 ¦ <think>9</think> ¦ I think it is 9? Not sure. ¦ My guess: 9 or so
3.5 hours ← 3.5 minutes ¦ 3 5 hours ¦ 3.5 hours per day ¦ 3.5 km
15 m/s ← 15 km/h ¦ 15 s/m ¦ 15 m s ¦ 15 m/s/s
2 m^3 ← 2 m^2 ¦ 2 L ¦ 200 cm^3
1 km^2 ← 1000 m^2 ¦ 1 km
5\% ← 5 ¦ 50%
\$1,200 ← \$1.2 ¦ $1,20 ¦ $12,00 ¦ 1200 euros
€3.50 ← $3.50
1/6 ← 0.16667 ¦ 0.166665 ¦ 1.6 ¦ 1 6
x \neq 0 ← x = 0 ¦ 0
n=3 ← m=3
1:2 ← 1/3
(0,0) ← 0
{1,2} ← (1,2)
(-1, 0) \cup (0, 1) ← (-1,1) ¦ [-1,0]\cup[0,1]
36 ← 3 6 ¦ 3\,6 ¦ 3  6 ¦ 36 thousandths ¦ 36 dozen eggs ¦ 36 raised to 2 ¦ 36 cubed ¦ 36th ¦ 36 is too high ¦ 36 is not it ¦ 36 is definitely wrong ¦ 36 or thereabouts ¦ 36 at the very least ¦ 36 and above ¦ 36 give or take ¦ 36-ish ¦ 36 quadrillion ¦ 36 percent ¦ 36 per 100 ¦ 36 in 100 ¦ 36/100 ¦ no 36 ¦ never 36 ¦ not quite 36 ¦ just under 36 ¦ a bit over 36 ¦ close to 36 ¦ one less than 36 ¦ The area is not 36. ¦ The area isn't 36. ¦ The area is less than 36. ¦ The area is at least 36. ¦ The area is 36 or 37. ¦ The area is 36 hundred. ¦ The area is 36 minus 1 ¦ The answer is 36 is what I would say if I were wrong ¦ The answer is 36; no, 37 ¦ The answer is 36 — wait, 37 ¦ The answer is 36 - or 37 ¦ The answer is 36 … or 37 ¦ The answer is 36 (or 37) ¦ The answer is 36 [37] ¦ The answer is 36 → 37 ¦ The answer is 36 => 37 ¦ The answer is **36** (not) ¦ The answer is ~~36~~ 37 ¦ The answer is ~~36~~ ¦ \boxed{\cancel{36}} ¦ \boxed{\not 36} ¦ \boxed{36 \ne 36} ¦ \boxed{36 \text{ or so}} ¦ \boxed{36 \text{ minus } 1} ¦ \boxed{36 \text{ cm or } 37 \text{ cm}} ¦ \boxed{36}$ dozen ¦ \boxed{36} dozen eggs ¦ \boxed{36} million people ¦ \boxed{36}\text{ thousand} ¦ roughly \boxed{36} million ¦ $\boxed{36}$ is wrong ¦ $\boxed{36}$ was my first wrong guess ¦ We reject $\boxed{36}$. ¦ $36 \neq \boxed{36}$ ¦ $\boxed{36} \cup \{37\}$
36 cm^2 ← 36 cm ¦ 36 cm^4 ¦ 36 cm/s ¦ 36 in^2 ¦ 0.36 m^2 ¦ 360 mm^2
6 ft ← 6 in ¦ 6 ft^2 ¦ 6 lb ¦ 6 m
30 minutes ← 30 seconds ¦ 30 hours ¦ 30 m
25 mph ← 25 km/h ¦ 25 miles ¦ 25 hours per mile
$3.2 billion ← 3.2 million dollars ¦ $3.2 ¦ €3.2 billion
-4/5 ← 4/5 ¦ -5/4 ¦ -4 5
9/4 ← 2 4/1 ¦ -2 1/4 ¦ 2.2 ¦ 2.250001
3/5 ← 3.5 ¦ 6% ¦ 0.6% ¦ 60
0.6 ← 0.6000001 ¦ .06
4\pi ← 12.57 ¦ 4 ¦ \pi^4
3, 4 ← 4, 3 ¦ 3, 4, 4 ¦ 34 ¦ 3.4
\{3,4\} ← \{3\} ¦ (3,4)
x\ge 2 ← x > 2 ¦ x = 2 ¦ 2
2024-01-15 ← 2008 ¦ 2024-02-14 ¦ 2024-15-01 ¦ 2024/01/15 2 ¦ 2024-01-5
3/4/2024 ← 6/8/2024 ¦ 3/8096
1,000, 2,000 ← 1,000,2,000 ¦ 10002000
234 ← 1～234 ¦ 1–234
-5 ← — 5 ¦ 5
Saturday ← Sunday ¦ not Saturday ¦ Saturday or Sunday
True ← False ¦ not true ¦ true or false
`;

/** Truths, and answers that say the same in other words. */
export const honestAnswers = String.raw`
5/4 ← 1 1/4 ¦ \boxed{1\frac{1}{4}} ¦ \boxed{1\tfrac14} ¦ 1¼ ¦ 1.25 ¦ 125%
19/8 ← 2 3/8 ¦ \boxed{2\,\frac{3}{8}}
-\frac52 ← \boxed{-2\frac12} ¦ -2 1/2 ¦ -2.5 ¦ −5/2
12\text{ cm}^2 ← \boxed{1200\text{ mm}^2} ¦ \boxed{12\ \mathrm{cm^2}} ¦ 12 ¦ 12 cm² ¦ 12 square centimeters ¦ 12 sq cm ¦ \boxed{12}\text{ cm}^2 ¦ 12 cm squared ¦ The area is therefore 12 square centimetres.⏎The answer is 12 cm^2.
60 km/h ← 60 kilometers per hour ¦ \boxed{60\text{ km/h}} ¦ 60 ¦ 60000 m/h ¦ \boxed{60}\text{ km/h}
5000000 ← 5 million ¦ \boxed{5\text{ million}} ¦ 5,000,000 ¦ 5 000 000 ¦ \boxed{5{,}000{,}000} ¦ 5 \times 10^6 ¦ 5*10^6 ¦ 5e6 ¦ 5 × 10⁶
60 ← 5 dozen ¦ \boxed{60} ¦ 60 degrees ¦ 60 students ¦ 60 dollars ¦ $60 ¦ 60 cm
42 ← 42 ¦ 42. ¦ **42** ¦ The answer is 42. ¦ So the final answer is: 42 ¦ Answer: $42$ ¦ \boxed{42} ¦ The answer is $\boxed{42}$. ¦ Final Answer: 42 ¦ **Final Answer**⏎⏎42 ¦ ## Answer⏎⏎42 ¦ #### 42 ¦ #### **42** ¦ \boxed 42 ¦ \boxed{42}, since 40 + 2 = 42. ¦ **Answer: 42** ¦ The answer is ‵42‵. ¦ The answer is 42, because 40 + 2 is not 41. ¦ The answer is 42. I hope this helps! ¦ So 42 is the answer. ¦ Therefore, the answer is⏎⏎$$42$$ ¦ $$\boxed{42}$$ ¦ \[\boxed{42}\] ¦ \(\boxed{42}\) ¦ x = 42 ¦ The answer to the question is 42. ¦ The correct answer is **42** ✅ ¦ First I found 41, which was wrong.⏎The answer is 42. ¦ <think>41? no. 42.</think>⏎⏎The answer is **42**. ¦ thinking...</think>The answer is 42 ¦ \boxed{42}⏎⏎Let me know if you have questions. ¦ Hence the answer is $x=42$. ¦ *42* ¦ 42.0 ¦ \boxed{\text{42}} ¦ \boxed{\mathbf{42}} ¦ **\boxed{42}** ¦ The answer is exactly 42. ¦ The answer is \(42\). ¦ Final Answer: The final answer is $42$. I hope it is correct. ¦ **Answer:** $42$ ¦ The answer is: **$42$** ¦ ### Final Answer⏎⏎$$⏎\boxed{42}⏎$$ ¦ ∴ x = 42 ¦ Answer: 42 units ¦ Therefore, the total number of eggs is **42**. ¦ \boxed{42}! ¦ 42 ✅ ¦ The answer is $\boxed{42\,}$ ¦ $\boxed{\mathrm{42}}$ ¦ \fbox{42} ¦ \boxed{x=42} ¦ ANSWER: 42 ¦ > **Answer:** 42 ¦ - The answer is 42. ¦ **The answer is 42** ¦ __42__ ¦ Result: 42 ¦ So, x = 42. ¦ The answer is $42$, since $6 \cdot 7 = 42$. ¦ The answer is 42 (since 6*7 = 42). ¦ The final answer is 42, as required. ¦ The answer is \boxed{42}, which is not a prime. ¦ Not 41. The answer is \boxed{42} ¦ It is not 41, so the answer is 42. ¦ 42.00
73 ← The answer is **73**. ¦ **Final answer:** 73 ¦ #### **73** ¦ The answer is 73 because 70+3=73. ¦ answer = 73 ¦ The answer is 73 in total. ¦ Thus $x = \boxed{73}$.
\$5 ← $5 ¦ 5 dollars ¦ \boxed{\$5.00} ¦ 5 ¦ 500 cents ¦ USD 5 ¦ 5 USD ¦ \$\boxed{5}
1/2 ← 50% ¦ \boxed{50\%} ¦ 0.5 ¦ \frac12 ¦ ½ ¦ .5 ¦ 2/4 ¦ 50 percent ¦ 1 / 2
50% ← 50% ¦ 0.5 ¦ 1/2 ¦ 50 percent ¦ \boxed{50}\%
\sqrt{2} ← sqrt(2) ¦ √2 ¦ \sqrt2 ¦ 2**(1/2) ¦ 2^(1/2) ¦ 2^0.5 ¦ 1.414213 ¦ The answer is sqrt(2). ¦ sqrt( 2 ) ¦ 1.41421356
2\pi ← 2*pi ¦ 2pi ¦ 2π ¦ 2 pi ¦ 6.283185 ¦ 2·π
x^2 ← x**2 ¦ x² ¦ x*x ¦ $x^{2}$ ¦ x^2.
x^{12} ← x^12 ¦ x**12 ¦ x¹²
3\sqrt{5} ← 3*sqrt(5) ¦ 3√5 ¦ sqrt(45) ¦ 3 \cdot \sqrt{5}
1/3 ← 0.333333 ¦ 0.3333333 ¦ \boxed{0.\overline{3}} ¦ \dfrac{1}{3}
2/3 ← 0.666667 ¦ 0.666666 ¦ 4/6
1, 2 ← 1, 2 ¦ 1 and 2 ¦ \{1, 2\} ¦ x = 1, x = 2 ¦ \boxed{1}, \boxed{2} ¦ 1 \text{ and } 2 ¦ 1,2
\{1, 2\} ← \{2, 1\} ¦ {1, 2} ¦ {2,1}
\pm 3 ← 3, -3 ¦ -3, 3 ¦ ±3 ¦ x = \pm 3 ¦ 3 or -3
(1, 2) ← (1,2) ¦ \left(1, 2\right) ¦ (1.0, 2) ¦ (x, y) = (1, 2)
(-\infty, 5] ← x <= 5 ¦ x ≤ 5 ¦ x \in (-\infty, 5] ¦ (-∞, 5] ¦ (-oo, 5]
Yes ← yes ¦ The answer is Yes. ¦ **Yes** ¦ \boxed{\text{Yes}} ¦ The answer is Yes because it is even.
B ← (B) ¦ \boxed{B} ¦ The answer is (B). ¦ \boxed{\text{B}} ¦ Answer: **B** ¦ B ¦ **(B)** ¦ $\boxed{\textbf{(B)}}$
30^\circ ← 30° ¦ 30 degrees ¦ 30 ¦ \boxed{30^{\circ}}
3 apples ← 3 apples ¦ 3 apple
10^{-3} ← 0.001 ¦ 1e-3 ¦ 10**-3 ¦ 1/1000 ¦ 10⁻³
1,234 ← 1234 ¦ 1 234 ¦ 1\,234 ¦ 1{,}234
x = 5 ← 5 ¦ x=5 ¦ $x = 5$ ¦ The answer is x = 5.
0.05 m ← 5 cm ¦ 50 mm ¦ 0.05 meters
120 minutes ← 2 hours ¦ 2 h ¦ 120 min ¦ 7200 seconds
18 ← #### 18 ¦ 18 dollars ¦ She makes $18 every day.⏎#### 18 ¦ #### $18 ¦ #### 18 eggs ¦ #### 18.
1,000 ← $1,000
1000 ← 1,000.00
-5 ← negative 5 ¦ -5 ¦ \boxed{-5} ¦ (-5)
3/4 ← \frac34 ¦ 0.75 ¦ ¾ ¦ 3 / 4 ¦ $\frac{3}{4}$ ¦ 75% ¦ 6/8
\frac{\sqrt{3}}{2} ← sqrt(3)/2 ¦ √3/2 ¦ \frac12\sqrt3
\frac{\pi}{6} ← pi/6 ¦ π/6 ¦ 30°
2x+3 ← 3 + 2x ¦ 2*x + 3
x^2-1 ← (x-1)(x+1)
e^{2} ← e**2 ¦ exp(2)
\ln 2 ← ln(2)
\log_2 3 ← log_2(3)
n(n+1)/2 ← \frac{n(n+1)}{2}
5! ← 120
\binom{5}{2} ← 10
[0, 1) ← 0 <= x < 1 ¦ [0,1)
(0, \infty) ← x > 0
(-\infty, -1) \cup (1, \infty) ← (-∞, -1) ∪ (1, ∞)
(3, -2) ← (3,-2) ¦ \left(3,-2\right)
\begin{pmatrix} 1 \\ 2 \end{pmatrix} ← \begin{bmatrix}1\\2\end{bmatrix}
5 \text{ cm} ← 5cm ¦ 0.05m ¦ 50 mm
100\text{ m}^2 ← 100 m² ¦ 100 square meters
9.8 m/s^2 ← 9.8 m/s² ¦ 9.8\ \text{m/s}^2 ¦ 9.8 \,\mathrm{m\,s^{-2}}
3 \text{ hours} ← 180 minutes ¦ 3 hrs
20 \text{ kg} ← 20000 g
1.5 \text{ L} ← 1500 mL
1500 cm^3 ← 1.5 liters
\$2.50 ← $2.50 ¦ 2.50 dollars ¦ 250 cents
\$3 million ← $3,000,000
3000000 ← 3 million dollars
12 ← 1 dozen
true ← True
No ← no.
Evelyn ← The answer is Evelyn.
C ← The correct answer is C. ¦ **C** ¦ Answer: (C) ¦ C) ¦ C.
3:30 ← 3:30
1.5 ← 1 1/2 ¦ 3/2
10^6 ← 1000000 ¦ 1 million
6.02e23 ← 6.02 \times 10^{23} ¦ 6.02*10^23 ¦ 6.02 x 10^23
\infty ← infinity ¦ ∞
0 ← 0 ¦ -0 ¦ 0.00
1 ← 100% ¦ 1
2\sqrt{2} ← 2*sqrt(2) ¦ 2√2 ¦ sqrt(8)
i ← i
3+4i ← 3 + 4i ¦ 4i+3
x=1, x=2 ← 1, 2
\{1,2\} ← x ∈ {1, 2}
\emptyset ← ∅
\frac{1}{2}, \frac{3}{2} ← 0.5, 1.5
4 ← <think>\boxed{5}</think>\boxed{4} ¦ 2^2
y = 2x + 1 ← y=2x+1 ¦ 2x + 1
90 ← 90° ¦ 90 degrees
45% ← 45 % ¦ .45
7 ← Let me think step by step.⏎⏎1. First, 3+4 = 7.⏎2. So we are done.⏎⏎**Answer:** 7 ¦ **Step 1:** add⏎⏎**Final Answer: $\boxed{7}$** ¦ The value of $x$ is $\boxed{7}$. ¦ Thus, the answer is:⏎⏎\[⏎\boxed{7}⏎\] ¦ \[ x = \boxed{7} \] ¦ ### Answer: 7 ¦ **7** ¦ $7$ ¦ $$7$$ ¦ = 7 ¦ x = 7. ¦ x=7 ¦ 7.0 ¦ +7 ¦ Answer⏎7 ¦ Answer:⏎7 ¦ The answer is⏎7 ¦ My final answer is 7 ¦ The final answer is: **7**. ¦ The answer: 7 ¦ Final answer = 7 ¦ \boxed{7} apples ¦ There are $\boxed{7}$ apples. ¦ $\boxed{7}$ is the answer. ¦ We conclude that the answer must be 7. ¦ The answer is seven? No: the answer is 7. ¦ I first thought the answer was 6, but the answer is 7. ¦ #### 7⏎ ¦ <think>⏎The answer is 6? no.⏎</think>⏎⏎The answer is 7. ¦ ‵‵‵⏎7⏎‵‵‵ ¦ > 7 ¦ 1 + 6 = 7 ¦ So we have 1 + 6 = **7**. ¦ \boxed{1+6=7} ¦ \(\boxed{7}\) as desired. ¦ \boxed{7}\blacksquare ¦ \boxed{ 7 } ¦ \boxed{7}$. $\square$ ¦ 🎉 The answer is **7**! 🎉 ¦ The answer is **7**!
120 ← 5!
0.1 ← 1/10 ¦ 10^{-1}
-1/2 ← -\frac{1}{2} ¦ \frac{-1}{2} ¦ -0.5 ¦ -½
-3 1/2 ← -3.5 ¦ -3\frac{1}{2}
3.5 ← 3½ ¦ 3.50 ¦ 7/2 ¦ 3 1/2
5/3 ← 1 2/3 ¦ 1\frac{2}{3} ¦ \boxed{1\ 2/3}
2500 ← 2,500 ¦ $2,500$ ¦ \$2{,}500 ¦ 2.5 thousand ¦ 2500 square feet
2.5 \times 10^{6} ← 2.5 million
0.25 ← 25% ¦ 1/4
12 \text{ ft}^2 ← 12 sq. ft. ¦ 12 ft^2 ¦ 1728 in^2 ¦ 12 square feet
72 km/h ← 20 m/s
1 hour ← 60 min
2 days ← 48 hours
1 mile ← 5280 feet
1 gallon ← 3.785411784 L
25 cents ← $0.25
€5 ← 5 euros
£5 ← 5 GBP
98.6°F ← 98.6 degrees Fahrenheit
20°C ← 20 °C
5 N ← 5 newtons ¦ 5 kg m/s^2
5 kJ ← 5000 J
5 J ← 5 N m
(2, 3) ← (x,y)=(2,3) ¦ (2, 3)
x=2, y=3 ← x = 2 and y = 3 ¦ y = 3, x = 2 ¦ $x=2$ and $y=3$
1, 2, 3 ← 1, 2, and 3 ¦ \boxed{1, 2, 3} ¦ 1; 2; 3
\{1, 2, 3\} ← {3, 1, 2}
a^2+2ab+b^2 ← (a+b)^2
\frac{1}{x} ← x^{-1} ¦ 1/x
\sin x ← sin(x)
\cos(2x) ← cos(2x) ¦ 2cos(x)^2 - 1
x > 3 ← 3 < x ¦ (3, \infty)
-1 < x < 1 ← (-1, 1)
|x| < 1 ← |x| < 1
\frac{a}{b} ← a/b
\sqrt[3]{2} ← cbrt(2) ¦ 2^(1/3)
\text{No solution} ← No solution ¦ The answer is no solution.
Monday ← The answer is **Monday**.
True ← true ¦ **True**
D ← \boxed{\text{(D)}} ¦ Answer: D ¦ \boxed{D} ¦ The answer is **D**.
2^{10} ← 1024
1024 ← 2^10 ¦ 2**10
15 ← After checking all cases, we find $n = 15$.⏎⏎The answer is **15**. ¦ So the answer is $\mathbf{15}$. ¦ Answer → 15 ¦ **Solution:** The answer is 15. ¦ The answer is therefore 15. ¦ The answer is thus $15$. ¦ The answer would be 15. ¦ The required answer is: $$15$$ ¦ The answer is 15 because there are 3 rows of 5. ¦ Hence, $\boxed{15}$ is correct. ¦ Hence the sum is $\boxed{15}$, not $14$. ¦ It cannot be 14. So $\boxed{15}$. ¦ $15$. ¦ 15  ¦ ⏎15⏎ ¦ **15.** ¦ ***15*** ¦ **Answer**: 15 ¦ *Answer:* 15 ¦ Answer: *15* ¦ answer: 15. ¦ The answer is $ 15 $. ¦ The answer is \[15\] ¦ $\boxed{15}$ dollars ¦ \boxed{\$15} ¦ \boxed{15 \text{ dollars}} ¦ \boxed{15\text{ students}} ¦ \boxed{n=15} ¦ Thus n = 15, since 15 = 3 * 5. ¦ The answer is 15, given that n is odd. ¦ The answer is 15 (because 3*5=15). ¦ The answer is 15; this follows from symmetry. ¦ The answer is 15 – see above. ¦ The answer is 15 — as shown above. ¦ 15 minutes ¦ 15 km ¦ 15
7/3 ← 2 1/3 ¦ 2\tfrac{1}{3} ¦ 2⅓ ¦ 2.333333 ¦ 2.\overline{3}
-7/3 ← -2 1/3 ¦ −2⅓ ¦ -\left(2\frac13\right)
36 m^2 ← 36 m² ¦ 36 sq m ¦ 360000 cm^2 ¦ 36 meters squared ¦ 36\,\text{m}^2 ¦ 36 \text{ square meters} ¦ 36\ \text{m}^{2} ¦ 36
2 L ← 2000 cm³ ¦ 2 liters
100 km/h ← 100 kph ¦ 100 km per hour
5 kg·m/s ← 5 kg m/s
4500000 ← 4.5 million ¦ 4.5 × 10^6 ¦ $4,500,000$
24 ← 2 dozen
200 ← 2 hundred
1.5 billion ← 1500000000
0.08 ← 8% ¦ 8 percent
12.5% ← 0.125 ¦ 1/8 ¦ 12.5 % ¦ 12.5\%
\$12.50 ← $12.5 ¦ USD 12.50 ¦ 12.50 dollars
€20 ← 20 € ¦ 20 EUR
75 cents ← $0.75 ¦ 75¢
3.14159265 ← \pi
\pi ← 3.14159265
1/7 ← 0.142857 ¦ 0.1428571
\frac{22}{7} ← 3.142857
\frac{x+1}{2} ← (x+1)/2 ¦ 0.5x + 0.5
x^{-2} ← 1/x^2
(x-3)^2 ← (3-x)^2
2^{n+1} ← 2*2^n ¦ 2**(n+1)
\sqrt{x+1} ← sqrt(x+1) ¦ (x+1)**0.5
3x^2y ← 3*x**2*y
\theta = 45^\circ ← 45°
45^\circ ← \frac{\pi}{4}
(0, 5] ← 0 < x <= 5
(0,5] ← \left(0, 5\right]
1 < x < 2 ← x \in (1,2)
\{-1, 1\} ← \{1,-1\} ¦ ±1
\pm 1 ← \{-1, 1\}
-1, 1 ← -1 and 1 ¦ x = -1 or x = 1
2, 3, 5 ← 2,3,5
(a, b) = (1, 2) ← (1,2)
\langle 1, 2 \rangle ← ⟨1, 2⟩
Tuesday ← Tuesday.
E ← \textbf{(E)} ¦ (E)
None ← none
\text{odd} ← odd ¦ The answer is odd.
72 ← Natalia sold 48/2 = 24 clips in May.⏎Natalia sold 48+24 = 72 clips altogether.⏎#### 72 ¦ So she sold 72 clips.⏎⏎**72** ¦ The total is 72 clips. ¦ Thus, Natalia sold a total of $\boxed{72}$ clips in April and May. ¦ **Final Answer:** $\boxed{72}$ ¦ ## Final Answer⏎$72$ ¦ Final Answer:⏎⏎$$\boxed{72}$$ ¦ Answer: $\boxed{72}$ clips ¦ 72 items ¦ the answer is  72 . ¦ THE FINAL ANSWER IS 72 ¦ The final answer is 72. ¦ Therefore the answer is $x = 72$. ¦ It is 72. ¦ The result is 72. ¦ The answer is $72.00. ¦ The answer is \$72. ¦ answer: 72 dollars ¦ \[ 48 + 24 = \boxed{72} \] ¦ $48+24=\boxed{72}$ ¦ $$x = 48 + 24 = 72$$ ¦ x = 48 + 24 = 72 ¦ \boxed{72\text{ items}} ¦ Answer: \(72\) ¦ The answer is \(\boxed{72}\). ¦ $\boxed{\,72\,}$ ¦ \boxed{72}. ¦ $\boxed{72.}$ ¦ \boxed{\textbf{72}} ¦ \boxed{$72$} ¦ \boxed{\(72\)}
\frac{14}{3} ← 14/3 ¦ 4 2/3 ¦ \dfrac{14}{3} ¦ \frac{28}{6} ¦ 4.666667 ¦ 4\frac23 ¦ $\frac{14}{3}$. ¦ The answer is 14/3.
p - q ← -q + p ¦ $p-q$
\left( 3, \frac{\pi}{2} \right) ← (3, pi/2) ¦ (3,\frac{\pi}{2}) ¦ (3, π/2)
\text{Evelyn} ← Evelyn
27 ← 27
90^\circ ← 90° ¦ 90 degrees
3\sqrt{13} ← 3√13 ¦ 3 * sqrt(13) ¦ sqrt(117)
2220 ← 2,220
\frac{3}{56} ← 3/56
284 ← 284.
-2 + 7i ← 7i - 2
6 - 5i ← 6-5i
1 \pm \sqrt{19} ← 1+\sqrt{19}, 1-\sqrt{19} ¦ 1 ± √19
x \in [-2,7] ← [-2, 7] ¦ -2 \leq x \leq 7
[-500,0]\cup[0,1] ← [-500, 0] \cup [0, 1]
\begin{pmatrix} -1/3 & 2/3 \\ 0 & 1 \end{pmatrix} ← \begin{pmatrix} -\frac13 & \frac23 \\ 0 & 1 \end{pmatrix}
y = -\frac{1}{2}x + 3 ← y = 3 - x/2
2k+2 ← 2(k+1)
\frac{9}{4} ← 2.25 ¦ 2 1/4
10\% ← 10% ¦ 0.1
18\text{ inches} ← 18 in ¦ 1.5 ft
\$1.45 ← $1.45 ¦ 1.45 ¦ 145 cents
1.25 \times 10^{-3} ← 0.00125 ¦ 1.25e-3 ¦ 1.25 × 10⁻³
10080 ← 10,080 ¦ 10 080 ¦ 10\,080
\sqrt{5} ← 5**0.5 ¦ 5^{1/2}
a_{n} = 2n ← a_n = 2n
x^5 - x^4 + x^3 ← x^3 (x^2 - x + 1)
\log_{10} 2 ← log_{10}(2)
f(x) = x + 1 ← x + 1
\frac{1}{\sqrt{2}} ← sqrt(2)/2
-1 ← −1
5 ← x=5 ¦ y = 5
(1, -2) ← (1,-2)
A ← \boxed{A} ¦ The answer is A.
yes ← Yes.
9 ← Thus the answer is $9$ . ¦ Hence $x=\boxed{9}$, which completes the proof. ¦ Therefore, there are $\boxed{9}$ such numbers. Each of them is not prime. ¦ So we get \[\boxed{9}.\] ¦ \begin{align*} x &= 3^2 \\ &= \boxed{9} \end{align*} ¦ The area is $\boxed{9}$ square units. ¦ $x = 3 \implies x^2 = \boxed{9}$ ¦ **Answer:** 9. ¦ **Answer: $9$** ¦ Answer: nine is 9 ¦ 9 units ¦ 9 square units ¦ Final answer: $$9$$ ¦ ✅ **Final Answer: 9** ¦ Answer = **9** ¦ The answer is 9, not 8. ¦ Let me double check: 3*3 = 9. Yes. The answer is 9. ¦ The answer is $\frac{18}{2} = 9$. ¦ The answer is 18/2 = 9. ¦ <think>a</think><think>b</think>⏎The answer is 9. ¦ <think>\boxed{8}</think>⏎\boxed{9}
3.5 hours ← 3 1/2 hours ¦ 210 minutes ¦ 3.5
0.75 kg ← 750 g
15 m/s ← 54 km/h
2 m^3 ← 2000 L ¦ 2 cubic meters
100 cm ← 1 m
1 km^2 ← 1000000 m^2 ¦ 100 hectares
5\% ← 5 percent ¦ 0.05
\$1,200 ← $1200 ¦ 1200 dollars ¦ 1.2 thousand dollars
€3.50 ← 3.50 euros
1/6 ← 0.1666667 ¦ \tfrac16
x^3+1 ← (x+1)(x^2-x+1) ¦ 1 + x**3
\sin\theta ← sin(theta)
\frac{\sqrt5-1}{2} ← (sqrt(5)-1)/2 ¦ (√5 − 1)/2
2^{1/3} ← ∛2
(-1, 0) \cup (0, 1) ← (-1,0)∪(0,1)
x \neq 0 ← x ≠ 0
\{2\} ← 2
n=3 ← 3
(0,0) ← (0, 0)
1:2 ← 1 : 2
36 ← To solve this, multiply 6 by 6.⏎⏎6 × 6 = 36⏎⏎So the answer is **36**. ¦ **Answer: 36 cm²** ¦ Answer: $36 \text{ cm}^2$ ¦ The area is $\boxed{36}\text{ cm}^2$. ¦ \[ A = \boxed{36 \text{ cm}^2} \] ¦ 36 square cm ¦ The area of the square is 36 square centimeters. ¦ Area = 36 ¦ Therefore: 36 ¦ **36 cm²** ¦ The answer is 36, since a square with side 6 has area $6^2$. ¦ The answer is 36 because 6 squared is 36 ¦ #### 36⏎⏎Hope this helps! ¦ ### Final Answer⏎⏎**36** ¦ Final Answer: $\boxed{36}$ ✓ ¦ Thus the final answer is $\boxed{36}$.⏎⏎---⏎⏎*Note: always check your units.* ¦ The correct answer is $36$. ¦ Hence 36 is the answer. ¦ So, the answer should be 36.
36 cm^2 ← **Answer: 36 cm²**
-4/5 ← -\frac45 ¦ -0.8 ¦ \frac{-4}{5} ¦ \frac{4}{-5}
9/4 ← 2¼ ¦ 2 \frac{1}{4} ¦ 225%
7500000 ← 7.5 million ¦ 7.5 \times 10^6 ¦ 7 500 000
$3.2 billion ← 3.2 billion dollars
3/5 ← 60% ¦ 60 percent
0.6 ← 3/5
6 ft ← 72 inches ¦ 2 yards ¦ 6 feet
6 ft^3 ← 6 cubic feet ¦ 6 ft³
30 minutes ← 0.5 hours ¦ 1/2 hour
25 mph ← 25 miles per hour ¦ 25 mi/h
\sqrt{3}+1 ← 1 + sqrt(3) ¦ 1+√3
4\pi ← 4pi ¦ 4 * pi ¦ 12.566371
2x^2 ← 2*x**2 ¦ 2x²
\frac{x}{2} ← x/2 ¦ 0.5*x
(2,1) ← (2,\,1)
3, 4 ← 3 and 4 ¦ \boxed{3} \text{ and } \boxed{4}
\{3,4\} ← \{4,\,3\}
2024-01-15 ← 2024-1-15 ¦ \boxed{2024-01-15}
03/04/2024 ← 3/4/2024
1,000, 2,000 ← 1000, 2000 ¦ \boxed{1000,\ 2000} ¦ 1,000 and 2,000
-5 ← ‑5 ¦ ‐5 ¦ －５ ¦ ‒5 ¦ \boxed{‑5} ¦ ‑\boxed{5} ¦ The answer is ‑5.
(1, 2) ← （１，２） ¦ （１, ２）
x=3 ← ｘ＝３ ¦ x＝3
x\ge 2 ← [2, ∞) ¦ x ≥ 2 ¦ x \in [2, \infty)
Saturday ← Saturday ¦ \boxed{\text{Saturday}}
`;
