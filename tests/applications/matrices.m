% Dense linear algebra by Octave on an OpenMP build of OpenBLAS.
n = 400;
[i, j] = meshgrid(1:n, 1:n);
a = sin(i .* j) + n * (i == j);
b = cos(i + 2 * j);
printf("%.9e\n", norm(a * b, "fro"));
printf("%.9e\n", norm(a \ b, "fro"));
printf("%.9e %.9e\n", det(a / n), trace(inv(a)));
s = svd(b + a);
printf("%.9e %.9e %.9e\n", s(1), s(end), sum(s));
e = eig(a + a');
printf("%.9e %.9e %.9e\n", min(e), max(e), sum(abs(e)));
[q, r] = qr(a);
printf("%.9e %.9e\n", norm(r, "fro"), norm(abs(q' * q - eye(n)), "fro") < 1e-10);
c = chol(a' * a);
printf("%.9e\n", sum(log(abs(diag(c)))));
