#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>
int main(int argc, char **argv)
{
	std::map<std::string, std::vector<int>> map;
	std::unordered_map<int, std::function<int(int)>> functions;
	std::regex regex(argv[0]);
	std::ostringstream text;
	for (int i = 0; i < argc; i++) {
		map[argv[i]].push_back(i);
		functions[i] = [i](int more) { return i + more; };
		text << argv[i] << std::regex_match(argv[i], regex);
	}
	std::vector<std::string> sorted(argv, argv + argc);
	std::sort(sorted.begin(), sorted.end());
	return (int)(map.size() + sorted[0].size() + functions[0](1) + text.str().size());
}
