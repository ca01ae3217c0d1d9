/* A program with an interpreter of Python inside, to which it offers a module with a region. Its
 * arguments are a script and those of the script. */
#include <Python.h>
#include <omp.h>

double work(long steps)
{
    double sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (long step = 0; step < steps; step++)
        sum += 1.0 / (double)(step + 1);
    return sum;
}

static PyObject *call_work(PyObject *self, PyObject *steps)
{
    (void)self;
    return PyFloat_FromDouble(work(PyLong_AsLong(steps)));
}

static PyMethodDef methods[] = {{"work", call_work, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "program", NULL, -1, methods, NULL, NULL, NULL, NULL};

static PyObject *make_module(void)
{
    return PyModule_Create(&module);
}

__attribute__((noinline)) int execute_script(const char *path)
{
    FILE *file = fopen(path, "r");
    int failed = file == NULL || PyRun_SimpleFileExFlags(file, path, 1, NULL) != 0;
    return failed ? 1 : 0;
}

int main(int count, char **arguments)
{
    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    config.parse_argv = 0;
    config.site_import = 0;
    PyStatus status = PyConfig_SetBytesArgv(&config, count - 1, arguments + 1);
    if (PyImport_AppendInittab("program", make_module) != 0 || PyStatus_Exception(status))
        return 2;
    status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status))
        Py_ExitStatusException(status);
    int result = execute_script(arguments[1]);
    return Py_FinalizeEx() == 0 ? result : 3;
}
